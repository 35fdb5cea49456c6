declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32>, <64 x i8>, <64 x i8>)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
declare <16 x float> @llvm.roundeven.v16f32(<16 x float>)

define internal <16 x float> @exp_v16f32(<16 x float> %a0) nounwind {
entry:
  br label %start
start:
  %v0 = fcmp ogt <16 x float> %a0, splat (float 0x4056000000000000)
  %v1 = select <16 x i1> %v0, <16 x float> splat (float 0x4056000000000000), <16 x float> %a0
  %v2 = fcmp olt <16 x float> %a0, splat (float 0xC055C00000000000)
  %v3 = select <16 x i1> %v2, <16 x float> splat (float 0xC055C00000000000), <16 x float> %v1
  %v4 = fmul <16 x float> %v3, splat (float 0x3FF7154760000000)
  %v5 = call <16 x float> @llvm.roundeven.v16f32(<16 x float> %v4)
  %v6 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v5, <16 x float> splat (float 0xBFE62E4000000000), <16 x float> %v3)
  %v7 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v5, <16 x float> splat (float 0xBEB7F7D1C0000000), <16 x float> %v6)
  %v8 = call <16 x float> @llvm.fma.v16f32(<16 x float> splat (float 0x3F56C16C20000000), <16 x float> %v7, <16 x float> splat (float 0x3F81111120000000))
  %v9 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v8, <16 x float> %v7, <16 x float> splat (float 0x3FA5555560000000))
  %v10 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v9, <16 x float> %v7, <16 x float> splat (float 0x3FC5555560000000))
  %v11 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v10, <16 x float> %v7, <16 x float> splat (float 0x3FE0000000000000))
  %v12 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v11, <16 x float> %v7, <16 x float> splat (float 0x3FF0000000000000))
  %v13 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v12, <16 x float> %v7, <16 x float> splat (float 0x3FF0000000000000))
  %v14 = fptosi <16 x float> %v5 to <16 x i32>
  %v15 = add <16 x i32> %v14, splat (i32 127)
  %v16 = shl <16 x i32> %v15, splat (i32 23)
  %v17 = fcmp olt <16 x float> %a0, splat (float 0xC055C00000000000)
  %v18 = bitcast <16 x i32> %v16 to <16 x float>
  %v19 = fmul <16 x float> %v13, %v18
  %v20 = select <16 x i1> %v17, <16 x float> zeroinitializer, <16 x float> %v19
  ret <16 x float> %v20
}

define  void @matmul_q8_0_one(ptr %bases, ptr %args, ptr %step, i64 %thread, i64 %threads) nounwind {
entry:
  %c80 = alloca i64
  %c93 = alloca <16 x float>
  %c95 = alloca i64
  %c301 = alloca <16 x float>
  br label %start
start:
  %v0 = load i64, ptr %args, align 8
  %v1 = mul i64 %v0, 8
  %v2 = getelementptr i8, ptr %bases, i64 %v1
  %v3 = load ptr, ptr %v2, align 8
  %v4 = getelementptr i8, ptr %args, i64 8
  %v5 = load i64, ptr %v4, align 8
  %v6 = getelementptr i8, ptr %v3, i64 %v5
  %v7 = getelementptr i8, ptr %args, i64 16
  %v8 = load i64, ptr %v7, align 8
  %v9 = mul i64 %v8, 8
  %v10 = getelementptr i8, ptr %bases, i64 %v9
  %v11 = load ptr, ptr %v10, align 8
  %v12 = getelementptr i8, ptr %args, i64 24
  %v13 = load i64, ptr %v12, align 8
  %v14 = getelementptr i8, ptr %v11, i64 %v13
  %v15 = getelementptr i8, ptr %args, i64 32
  %v16 = load i64, ptr %v15, align 8
  %v17 = mul i64 %v16, 8
  %v18 = getelementptr i8, ptr %bases, i64 %v17
  %v19 = load ptr, ptr %v18, align 8
  %v20 = getelementptr i8, ptr %args, i64 40
  %v21 = load i64, ptr %v20, align 8
  %v22 = getelementptr i8, ptr %v19, i64 %v21
  %v23 = getelementptr i8, ptr %args, i64 48
  %v24 = load i64, ptr %v23, align 8
  %v25 = mul i64 %v24, 8
  %v26 = getelementptr i8, ptr %bases, i64 %v25
  %v27 = load ptr, ptr %v26, align 8
  %v28 = getelementptr i8, ptr %args, i64 56
  %v29 = load i64, ptr %v28, align 8
  %v30 = getelementptr i8, ptr %v27, i64 %v29
  %v31 = getelementptr i8, ptr %args, i64 64
  %v32 = load i64, ptr %v31, align 8
  %v33 = mul i64 %v32, 8
  %v34 = getelementptr i8, ptr %bases, i64 %v33
  %v35 = load ptr, ptr %v34, align 8
  %v36 = getelementptr i8, ptr %args, i64 72
  %v37 = load i64, ptr %v36, align 8
  %v38 = getelementptr i8, ptr %v35, i64 %v37
  %v39 = getelementptr i8, ptr %args, i64 80
  %v40 = load i64, ptr %v39, align 8
  %v41 = mul i64 %v40, 8
  %v42 = getelementptr i8, ptr %bases, i64 %v41
  %v43 = load ptr, ptr %v42, align 8
  %v44 = getelementptr i8, ptr %args, i64 88
  %v45 = load i64, ptr %v44, align 8
  %v46 = getelementptr i8, ptr %v43, i64 %v45
  %v47 = getelementptr i8, ptr %args, i64 96
  %v48 = load i64, ptr %v47, align 8
  %v49 = getelementptr i8, ptr %args, i64 104
  %v50 = load i64, ptr %v49, align 8
  %v51 = getelementptr i8, ptr %args, i64 112
  %v52 = load i64, ptr %v51, align 8
  %v53 = getelementptr i8, ptr %args, i64 120
  %v54 = load i64, ptr %v53, align 8
  %v55 = getelementptr i8, ptr %args, i64 128
  %v56 = load i64, ptr %v55, align 8
  %v57 = getelementptr i8, ptr %args, i64 136
  %v58 = load i64, ptr %v57, align 8
  %v59 = getelementptr i8, ptr %args, i64 144
  %v60 = load i64, ptr %v59, align 8
  %v61 = getelementptr i8, ptr %args, i64 152
  %v62 = load i64, ptr %v61, align 8
  %v63 = getelementptr i8, ptr %args, i64 160
  %v64 = load i64, ptr %v63, align 8
  %v65 = getelementptr i8, ptr %args, i64 168
  %v66 = load i64, ptr %v65, align 8
  %v67 = getelementptr i8, ptr %args, i64 176
  %v68 = load i64, ptr %v67, align 8
  %v69 = getelementptr i8, ptr %args, i64 184
  %v70 = load i64, ptr %v69, align 8
  %v71 = getelementptr i8, ptr %args, i64 192
  %v72 = load i64, ptr %v71, align 8
  %v73 = getelementptr i8, ptr %args, i64 200
  %v74 = load i64, ptr %v73, align 8
  %v75 = mul i64 %v50, %thread
  %v76 = sdiv i64 %v75, %threads
  %v77 = add i64 %thread, 1
  %v78 = mul i64 %v50, %v77
  %v79 = sdiv i64 %v78, %threads
  store i64 %v76, ptr %c80, align 8
  br label %head82
head82:
  %v84 = load i64, ptr %c80, align 8
  %v85 = icmp slt i64 %v84, %v79
  br i1 %v85, label %body83, label %done84
body83:
  %v86 = mul i64 %v84, %v52
  %v87 = getelementptr i8, ptr %v22, i64 %v86
  %v88 = getelementptr i8, ptr %v87, i64 %v54
  %v89 = sdiv i64 %v48, 32
  %v90 = sdiv i64 31, %v89
  %v91 = mul i64 %v90, %v52
  %v92 = srem i64 31, %v89
  store <16 x float> zeroinitializer, ptr %c93, align 4
  %v94 = sdiv i64 %v48, 32
  store i64 0, ptr %c95, align 8
  br label %head97
head97:
  %v99 = load i64, ptr %c95, align 8
  %v100 = icmp slt i64 %v99, %v94
  br i1 %v100, label %body98, label %done99
body98:
  %v101 = add i64 %v99, %v92
  %v102 = icmp sge i64 %v101, %v89
  %v103 = select i1 %v102, i64 %v52, i64 0
  %v104 = add i64 %v91, %v103
  %v105 = select i1 %v102, i64 %v89, i64 0
  %v106 = sub i64 %v101, %v105
  %v107 = getelementptr i8, ptr %v87, i64 %v104
  %v108 = mul i64 %v106, 512
  %v109 = getelementptr i8, ptr %v107, i64 %v108
  %v110 = getelementptr i8, ptr %v88, i64 %v104
  %v111 = mul i64 %v106, 32
  %v112 = getelementptr i8, ptr %v110, i64 %v111
  call void @llvm.prefetch.p0(ptr %v112, i32 0, i32 2, i32 1)
  %v113 = mul i64 0, 512
  %v114 = getelementptr i8, ptr %v109, i64 %v113
  call void @llvm.prefetch.p0(ptr %v114, i32 0, i32 2, i32 1)
  %v115 = mul i64 0, 512
  %v116 = getelementptr i8, ptr %v109, i64 %v115
  %v117 = getelementptr i8, ptr %v116, i64 64
  call void @llvm.prefetch.p0(ptr %v117, i32 0, i32 2, i32 1)
  %v118 = mul i64 0, 512
  %v119 = getelementptr i8, ptr %v109, i64 %v118
  %v120 = getelementptr i8, ptr %v119, i64 128
  call void @llvm.prefetch.p0(ptr %v120, i32 0, i32 2, i32 1)
  %v121 = mul i64 0, 512
  %v122 = getelementptr i8, ptr %v109, i64 %v121
  %v123 = getelementptr i8, ptr %v122, i64 192
  call void @llvm.prefetch.p0(ptr %v123, i32 0, i32 2, i32 1)
  %v124 = mul i64 0, 512
  %v125 = getelementptr i8, ptr %v109, i64 %v124
  %v126 = getelementptr i8, ptr %v125, i64 256
  call void @llvm.prefetch.p0(ptr %v126, i32 0, i32 2, i32 1)
  %v127 = mul i64 0, 512
  %v128 = getelementptr i8, ptr %v109, i64 %v127
  %v129 = getelementptr i8, ptr %v128, i64 320
  call void @llvm.prefetch.p0(ptr %v129, i32 0, i32 2, i32 1)
  %v130 = mul i64 0, 512
  %v131 = getelementptr i8, ptr %v109, i64 %v130
  %v132 = getelementptr i8, ptr %v131, i64 384
  call void @llvm.prefetch.p0(ptr %v132, i32 0, i32 2, i32 1)
  %v133 = mul i64 0, 512
  %v134 = getelementptr i8, ptr %v109, i64 %v133
  %v135 = getelementptr i8, ptr %v134, i64 448
  call void @llvm.prefetch.p0(ptr %v135, i32 0, i32 2, i32 1)
  %v136 = mul i64 %v99, 512
  %v137 = getelementptr i8, ptr %v87, i64 %v136
  %v138 = mul i64 0, 512
  %v139 = getelementptr i8, ptr %v137, i64 %v138
  %v140 = getelementptr i8, ptr %v139, i64 2048
  call void @llvm.prefetch.p0(ptr %v140, i32 0, i32 3, i32 1)
  %v141 = mul i64 0, 512
  %v142 = getelementptr i8, ptr %v137, i64 %v141
  %v143 = getelementptr i8, ptr %v142, i64 2112
  call void @llvm.prefetch.p0(ptr %v143, i32 0, i32 3, i32 1)
  %v144 = mul i64 0, 512
  %v145 = getelementptr i8, ptr %v137, i64 %v144
  %v146 = getelementptr i8, ptr %v145, i64 2176
  call void @llvm.prefetch.p0(ptr %v146, i32 0, i32 3, i32 1)
  %v147 = mul i64 0, 512
  %v148 = getelementptr i8, ptr %v137, i64 %v147
  %v149 = getelementptr i8, ptr %v148, i64 2240
  call void @llvm.prefetch.p0(ptr %v149, i32 0, i32 3, i32 1)
  %v150 = mul i64 0, 512
  %v151 = getelementptr i8, ptr %v137, i64 %v150
  %v152 = getelementptr i8, ptr %v151, i64 2304
  call void @llvm.prefetch.p0(ptr %v152, i32 0, i32 3, i32 1)
  %v153 = mul i64 0, 512
  %v154 = getelementptr i8, ptr %v137, i64 %v153
  %v155 = getelementptr i8, ptr %v154, i64 2368
  call void @llvm.prefetch.p0(ptr %v155, i32 0, i32 3, i32 1)
  %v156 = mul i64 0, 512
  %v157 = getelementptr i8, ptr %v137, i64 %v156
  %v158 = getelementptr i8, ptr %v157, i64 2432
  call void @llvm.prefetch.p0(ptr %v158, i32 0, i32 3, i32 1)
  %v159 = mul i64 0, 512
  %v160 = getelementptr i8, ptr %v137, i64 %v159
  %v161 = getelementptr i8, ptr %v160, i64 2496
  call void @llvm.prefetch.p0(ptr %v161, i32 0, i32 3, i32 1)
  %v162 = mul i64 %v99, %v64
  %v163 = getelementptr i8, ptr %v6, i64 %v162
  %v164 = mul i64 %v99, %v66
  %v165 = getelementptr i8, ptr %v14, i64 %v164
  %v166 = mul i64 0, 16
  %v167 = mul i64 %v99, 512
  %v168 = getelementptr i8, ptr %v87, i64 %v167
  %v169 = mul i64 %v166, 4
  %v170 = getelementptr i8, ptr %v168, i64 %v169
  %v171 = load <64 x i8>, ptr %v170, align 16
  %v172 = mul i64 %v99, 512
  %v173 = getelementptr i8, ptr %v87, i64 %v172
  %v174 = getelementptr i8, ptr %v173, i64 64
  %v175 = mul i64 %v166, 4
  %v176 = getelementptr i8, ptr %v174, i64 %v175
  %v177 = load <64 x i8>, ptr %v176, align 16
  %v178 = mul i64 %v99, 512
  %v179 = getelementptr i8, ptr %v87, i64 %v178
  %v180 = getelementptr i8, ptr %v179, i64 128
  %v181 = mul i64 %v166, 4
  %v182 = getelementptr i8, ptr %v180, i64 %v181
  %v183 = load <64 x i8>, ptr %v182, align 16
  %v184 = mul i64 %v99, 512
  %v185 = getelementptr i8, ptr %v87, i64 %v184
  %v186 = getelementptr i8, ptr %v185, i64 192
  %v187 = mul i64 %v166, 4
  %v188 = getelementptr i8, ptr %v186, i64 %v187
  %v189 = load <64 x i8>, ptr %v188, align 16
  %v190 = mul i64 %v99, 512
  %v191 = getelementptr i8, ptr %v87, i64 %v190
  %v192 = getelementptr i8, ptr %v191, i64 256
  %v193 = mul i64 %v166, 4
  %v194 = getelementptr i8, ptr %v192, i64 %v193
  %v195 = load <64 x i8>, ptr %v194, align 16
  %v196 = mul i64 %v99, 512
  %v197 = getelementptr i8, ptr %v87, i64 %v196
  %v198 = getelementptr i8, ptr %v197, i64 320
  %v199 = mul i64 %v166, 4
  %v200 = getelementptr i8, ptr %v198, i64 %v199
  %v201 = load <64 x i8>, ptr %v200, align 16
  %v202 = mul i64 %v99, 512
  %v203 = getelementptr i8, ptr %v87, i64 %v202
  %v204 = getelementptr i8, ptr %v203, i64 384
  %v205 = mul i64 %v166, 4
  %v206 = getelementptr i8, ptr %v204, i64 %v205
  %v207 = load <64 x i8>, ptr %v206, align 16
  %v208 = mul i64 %v99, 512
  %v209 = getelementptr i8, ptr %v87, i64 %v208
  %v210 = getelementptr i8, ptr %v209, i64 448
  %v211 = mul i64 %v166, 4
  %v212 = getelementptr i8, ptr %v210, i64 %v211
  %v213 = load <64 x i8>, ptr %v212, align 16
  %v214 = xor <64 x i8> %v171, splat (i8 -128)
  %v215 = load i32, ptr %v163, align 4
  %v216 = insertelement <16 x i32> poison, i32 %v215, i32 0
  %v217 = shufflevector <16 x i32> %v216, <16 x i32> poison, <16 x i32> zeroinitializer
  %v218 = bitcast <16 x i32> %v217 to <64 x i8>
  %v219 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> zeroinitializer, <64 x i8> %v214, <64 x i8> %v218)
  %v220 = xor <64 x i8> %v177, splat (i8 -128)
  %v221 = getelementptr i8, ptr %v163, i64 4
  %v222 = load i32, ptr %v221, align 4
  %v223 = insertelement <16 x i32> poison, i32 %v222, i32 0
  %v224 = shufflevector <16 x i32> %v223, <16 x i32> poison, <16 x i32> zeroinitializer
  %v225 = bitcast <16 x i32> %v224 to <64 x i8>
  %v226 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v219, <64 x i8> %v220, <64 x i8> %v225)
  %v227 = xor <64 x i8> %v183, splat (i8 -128)
  %v228 = getelementptr i8, ptr %v163, i64 8
  %v229 = load i32, ptr %v228, align 4
  %v230 = insertelement <16 x i32> poison, i32 %v229, i32 0
  %v231 = shufflevector <16 x i32> %v230, <16 x i32> poison, <16 x i32> zeroinitializer
  %v232 = bitcast <16 x i32> %v231 to <64 x i8>
  %v233 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v226, <64 x i8> %v227, <64 x i8> %v232)
  %v234 = xor <64 x i8> %v189, splat (i8 -128)
  %v235 = getelementptr i8, ptr %v163, i64 12
  %v236 = load i32, ptr %v235, align 4
  %v237 = insertelement <16 x i32> poison, i32 %v236, i32 0
  %v238 = shufflevector <16 x i32> %v237, <16 x i32> poison, <16 x i32> zeroinitializer
  %v239 = bitcast <16 x i32> %v238 to <64 x i8>
  %v240 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v233, <64 x i8> %v234, <64 x i8> %v239)
  %v241 = xor <64 x i8> %v195, splat (i8 -128)
  %v242 = getelementptr i8, ptr %v163, i64 16
  %v243 = load i32, ptr %v242, align 4
  %v244 = insertelement <16 x i32> poison, i32 %v243, i32 0
  %v245 = shufflevector <16 x i32> %v244, <16 x i32> poison, <16 x i32> zeroinitializer
  %v246 = bitcast <16 x i32> %v245 to <64 x i8>
  %v247 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v240, <64 x i8> %v241, <64 x i8> %v246)
  %v248 = xor <64 x i8> %v201, splat (i8 -128)
  %v249 = getelementptr i8, ptr %v163, i64 20
  %v250 = load i32, ptr %v249, align 4
  %v251 = insertelement <16 x i32> poison, i32 %v250, i32 0
  %v252 = shufflevector <16 x i32> %v251, <16 x i32> poison, <16 x i32> zeroinitializer
  %v253 = bitcast <16 x i32> %v252 to <64 x i8>
  %v254 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v247, <64 x i8> %v248, <64 x i8> %v253)
  %v255 = xor <64 x i8> %v207, splat (i8 -128)
  %v256 = getelementptr i8, ptr %v163, i64 24
  %v257 = load i32, ptr %v256, align 4
  %v258 = insertelement <16 x i32> poison, i32 %v257, i32 0
  %v259 = shufflevector <16 x i32> %v258, <16 x i32> poison, <16 x i32> zeroinitializer
  %v260 = bitcast <16 x i32> %v259 to <64 x i8>
  %v261 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v254, <64 x i8> %v255, <64 x i8> %v260)
  %v262 = xor <64 x i8> %v213, splat (i8 -128)
  %v263 = getelementptr i8, ptr %v163, i64 28
  %v264 = load i32, ptr %v263, align 4
  %v265 = insertelement <16 x i32> poison, i32 %v264, i32 0
  %v266 = shufflevector <16 x i32> %v265, <16 x i32> poison, <16 x i32> zeroinitializer
  %v267 = bitcast <16 x i32> %v266 to <64 x i8>
  %v268 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v261, <64 x i8> %v262, <64 x i8> %v267)
  %v269 = getelementptr i8, ptr %v165, i64 4
  %v270 = load i32, ptr %v269, align 4
  %v271 = mul i32 %v270, 128
  %v272 = insertelement <16 x i32> poison, i32 %v271, i32 0
  %v273 = shufflevector <16 x i32> %v272, <16 x i32> poison, <16 x i32> zeroinitializer
  %v274 = sub <16 x i32> %v268, %v273
  %v275 = mul i64 %v99, 32
  %v276 = getelementptr i8, ptr %v88, i64 %v275
  %v277 = mul i64 %v166, 2
  %v278 = getelementptr i8, ptr %v276, i64 %v277
  %v279 = load <16 x i16>, ptr %v278, align 2
  %v280 = bitcast <16 x i16> %v279 to <16 x half>
  %v281 = fpext <16 x half> %v280 to <16 x float>
  %v282 = load float, ptr %v165, align 4
  %v283 = insertelement <16 x float> poison, float %v282, i32 0
  %v284 = shufflevector <16 x float> %v283, <16 x float> poison, <16 x i32> zeroinitializer
  %v285 = fmul <16 x float> %v281, %v284
  %v286 = sitofp <16 x i32> %v274 to <16 x float>
  %v287 = load <16 x float>, ptr %c93, align 4
  %v288 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v286, <16 x float> %v285, <16 x float> %v287)
  store <16 x float> %v288, ptr %c93, align 4
  %v289 = add i64 %v99, 1
  store i64 %v289, ptr %c95, align 8
  br label %head97
done99:
  %v290 = load <16 x float>, ptr %c93, align 4
  %v291 = icmp slt i64 %v84, %v79
  br i1 %v291, label %then293, label %done294
then293:
  %v294 = mul i64 0, 16
  %v295 = mul i64 %v84, 16
  %v296 = add i64 %v295, %v294
  %v297 = mul i64 %v296, 4
  %v298 = mul i64 0, %v68
  %v299 = getelementptr i8, ptr %v30, i64 %v298
  %v300 = getelementptr i8, ptr %v299, i64 %v297
  store <16 x float> %v290, ptr %c301, align 4
  %v302 = ptrtoint ptr %v38 to i64
  %v303 = icmp ne i64 %v302, 0
  br i1 %v303, label %then305, label %done306
then305:
  %v306 = load <16 x float>, ptr %c301, align 4
  %v307 = getelementptr i8, ptr %v38, i64 %v297
  %v308 = load <16 x float>, ptr %v307, align 4
  %v309 = fadd <16 x float> %v306, %v308
  store <16 x float> %v309, ptr %c301, align 4
  br label %done306
done306:
  %v310 = icmp eq i64 %v74, 1
  br i1 %v310, label %then312, label %done313
then312:
  %v313 = load <16 x float>, ptr %v300, align 4
  %v314 = load <16 x float>, ptr %c301, align 4
  %v315 = fadd <16 x float> %v313, %v314
  store <16 x float> %v315, ptr %c301, align 4
  br label %done313
done313:
  %v316 = icmp eq i64 %v74, 2
  br i1 %v316, label %then318, label %done319
then318:
  %v319 = load <16 x float>, ptr %v300, align 4
  %v320 = fneg <16 x float> %v319
  %v321 = call <16 x float> @exp_v16f32(<16 x float> %v320)
  %v322 = fadd <16 x float> %v321, splat (float 0x3FF0000000000000)
  %v323 = fdiv <16 x float> %v319, %v322
  %v324 = load <16 x float>, ptr %c301, align 4
  %v325 = fmul <16 x float> %v323, %v324
  store <16 x float> %v325, ptr %c301, align 4
  br label %done319
done319:
  %v326 = load <16 x float>, ptr %c301, align 4
  store <16 x float> %v326, ptr %v300, align 4
  br label %done294
done294:
  %v327 = add i64 %v84, 1
  store i64 %v327, ptr %c80, align 8
  br label %head82
done84:
  ret void
}
