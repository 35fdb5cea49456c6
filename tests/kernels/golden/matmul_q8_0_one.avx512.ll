declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <64 x i8> @llvm.abs.v64i8(<64 x i8>, i1)
declare <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8>, <64 x i8>)
declare <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16>, <32 x i16>)
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
  %c335 = alloca <16 x float>
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
  %v214 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v171, i1 false)
  %v215 = load i32, ptr %v163, align 4
  %v216 = insertelement <16 x i32> poison, i32 %v215, i32 0
  %v217 = shufflevector <16 x i32> %v216, <16 x i32> poison, <16 x i32> zeroinitializer
  %v218 = bitcast <16 x i32> %v217 to <64 x i8>
  %v219 = icmp slt <64 x i8> %v171, splat (i8 0)
  %v220 = sub <64 x i8> splat (i8 0), %v218
  %v221 = select <64 x i1> %v219, <64 x i8> %v220, <64 x i8> %v218
  %v222 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v214, <64 x i8> %v221)
  %v223 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v222, <32 x i16> splat (i16 1))
  %v224 = add <16 x i32> zeroinitializer, %v223
  %v225 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v177, i1 false)
  %v226 = getelementptr i8, ptr %v163, i64 4
  %v227 = load i32, ptr %v226, align 4
  %v228 = insertelement <16 x i32> poison, i32 %v227, i32 0
  %v229 = shufflevector <16 x i32> %v228, <16 x i32> poison, <16 x i32> zeroinitializer
  %v230 = bitcast <16 x i32> %v229 to <64 x i8>
  %v231 = icmp slt <64 x i8> %v177, splat (i8 0)
  %v232 = sub <64 x i8> splat (i8 0), %v230
  %v233 = select <64 x i1> %v231, <64 x i8> %v232, <64 x i8> %v230
  %v234 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v225, <64 x i8> %v233)
  %v235 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v234, <32 x i16> splat (i16 1))
  %v236 = add <16 x i32> %v224, %v235
  %v237 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v183, i1 false)
  %v238 = getelementptr i8, ptr %v163, i64 8
  %v239 = load i32, ptr %v238, align 4
  %v240 = insertelement <16 x i32> poison, i32 %v239, i32 0
  %v241 = shufflevector <16 x i32> %v240, <16 x i32> poison, <16 x i32> zeroinitializer
  %v242 = bitcast <16 x i32> %v241 to <64 x i8>
  %v243 = icmp slt <64 x i8> %v183, splat (i8 0)
  %v244 = sub <64 x i8> splat (i8 0), %v242
  %v245 = select <64 x i1> %v243, <64 x i8> %v244, <64 x i8> %v242
  %v246 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v237, <64 x i8> %v245)
  %v247 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v246, <32 x i16> splat (i16 1))
  %v248 = add <16 x i32> %v236, %v247
  %v249 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v189, i1 false)
  %v250 = getelementptr i8, ptr %v163, i64 12
  %v251 = load i32, ptr %v250, align 4
  %v252 = insertelement <16 x i32> poison, i32 %v251, i32 0
  %v253 = shufflevector <16 x i32> %v252, <16 x i32> poison, <16 x i32> zeroinitializer
  %v254 = bitcast <16 x i32> %v253 to <64 x i8>
  %v255 = icmp slt <64 x i8> %v189, splat (i8 0)
  %v256 = sub <64 x i8> splat (i8 0), %v254
  %v257 = select <64 x i1> %v255, <64 x i8> %v256, <64 x i8> %v254
  %v258 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v249, <64 x i8> %v257)
  %v259 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v258, <32 x i16> splat (i16 1))
  %v260 = add <16 x i32> %v248, %v259
  %v261 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v195, i1 false)
  %v262 = getelementptr i8, ptr %v163, i64 16
  %v263 = load i32, ptr %v262, align 4
  %v264 = insertelement <16 x i32> poison, i32 %v263, i32 0
  %v265 = shufflevector <16 x i32> %v264, <16 x i32> poison, <16 x i32> zeroinitializer
  %v266 = bitcast <16 x i32> %v265 to <64 x i8>
  %v267 = icmp slt <64 x i8> %v195, splat (i8 0)
  %v268 = sub <64 x i8> splat (i8 0), %v266
  %v269 = select <64 x i1> %v267, <64 x i8> %v268, <64 x i8> %v266
  %v270 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v261, <64 x i8> %v269)
  %v271 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v270, <32 x i16> splat (i16 1))
  %v272 = add <16 x i32> %v260, %v271
  %v273 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v201, i1 false)
  %v274 = getelementptr i8, ptr %v163, i64 20
  %v275 = load i32, ptr %v274, align 4
  %v276 = insertelement <16 x i32> poison, i32 %v275, i32 0
  %v277 = shufflevector <16 x i32> %v276, <16 x i32> poison, <16 x i32> zeroinitializer
  %v278 = bitcast <16 x i32> %v277 to <64 x i8>
  %v279 = icmp slt <64 x i8> %v201, splat (i8 0)
  %v280 = sub <64 x i8> splat (i8 0), %v278
  %v281 = select <64 x i1> %v279, <64 x i8> %v280, <64 x i8> %v278
  %v282 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v273, <64 x i8> %v281)
  %v283 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v282, <32 x i16> splat (i16 1))
  %v284 = add <16 x i32> %v272, %v283
  %v285 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v207, i1 false)
  %v286 = getelementptr i8, ptr %v163, i64 24
  %v287 = load i32, ptr %v286, align 4
  %v288 = insertelement <16 x i32> poison, i32 %v287, i32 0
  %v289 = shufflevector <16 x i32> %v288, <16 x i32> poison, <16 x i32> zeroinitializer
  %v290 = bitcast <16 x i32> %v289 to <64 x i8>
  %v291 = icmp slt <64 x i8> %v207, splat (i8 0)
  %v292 = sub <64 x i8> splat (i8 0), %v290
  %v293 = select <64 x i1> %v291, <64 x i8> %v292, <64 x i8> %v290
  %v294 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v285, <64 x i8> %v293)
  %v295 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v294, <32 x i16> splat (i16 1))
  %v296 = add <16 x i32> %v284, %v295
  %v297 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v213, i1 false)
  %v298 = getelementptr i8, ptr %v163, i64 28
  %v299 = load i32, ptr %v298, align 4
  %v300 = insertelement <16 x i32> poison, i32 %v299, i32 0
  %v301 = shufflevector <16 x i32> %v300, <16 x i32> poison, <16 x i32> zeroinitializer
  %v302 = bitcast <16 x i32> %v301 to <64 x i8>
  %v303 = icmp slt <64 x i8> %v213, splat (i8 0)
  %v304 = sub <64 x i8> splat (i8 0), %v302
  %v305 = select <64 x i1> %v303, <64 x i8> %v304, <64 x i8> %v302
  %v306 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v297, <64 x i8> %v305)
  %v307 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v306, <32 x i16> splat (i16 1))
  %v308 = add <16 x i32> %v296, %v307
  %v309 = mul i64 %v99, 32
  %v310 = getelementptr i8, ptr %v88, i64 %v309
  %v311 = mul i64 %v166, 2
  %v312 = getelementptr i8, ptr %v310, i64 %v311
  %v313 = load <16 x i16>, ptr %v312, align 2
  %v314 = bitcast <16 x i16> %v313 to <16 x half>
  %v315 = fpext <16 x half> %v314 to <16 x float>
  %v316 = load float, ptr %v165, align 4
  %v317 = insertelement <16 x float> poison, float %v316, i32 0
  %v318 = shufflevector <16 x float> %v317, <16 x float> poison, <16 x i32> zeroinitializer
  %v319 = fmul <16 x float> %v315, %v318
  %v320 = sitofp <16 x i32> %v308 to <16 x float>
  %v321 = load <16 x float>, ptr %c93, align 4
  %v322 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v320, <16 x float> %v319, <16 x float> %v321)
  store <16 x float> %v322, ptr %c93, align 4
  %v323 = add i64 %v99, 1
  store i64 %v323, ptr %c95, align 8
  br label %head97
done99:
  %v324 = load <16 x float>, ptr %c93, align 4
  %v325 = icmp slt i64 %v84, %v79
  br i1 %v325, label %then327, label %done328
then327:
  %v328 = mul i64 0, 16
  %v329 = mul i64 %v84, 16
  %v330 = add i64 %v329, %v328
  %v331 = mul i64 %v330, 4
  %v332 = mul i64 0, %v68
  %v333 = getelementptr i8, ptr %v30, i64 %v332
  %v334 = getelementptr i8, ptr %v333, i64 %v331
  store <16 x float> %v324, ptr %c335, align 4
  %v336 = ptrtoint ptr %v38 to i64
  %v337 = icmp ne i64 %v336, 0
  br i1 %v337, label %then339, label %done340
then339:
  %v340 = load <16 x float>, ptr %c335, align 4
  %v341 = getelementptr i8, ptr %v38, i64 %v331
  %v342 = load <16 x float>, ptr %v341, align 4
  %v343 = fadd <16 x float> %v340, %v342
  store <16 x float> %v343, ptr %c335, align 4
  br label %done340
done340:
  %v344 = icmp eq i64 %v74, 1
  br i1 %v344, label %then346, label %done347
then346:
  %v347 = load <16 x float>, ptr %v334, align 4
  %v348 = load <16 x float>, ptr %c335, align 4
  %v349 = fadd <16 x float> %v347, %v348
  store <16 x float> %v349, ptr %c335, align 4
  br label %done347
done347:
  %v350 = icmp eq i64 %v74, 2
  br i1 %v350, label %then352, label %done353
then352:
  %v353 = load <16 x float>, ptr %v334, align 4
  %v354 = fneg <16 x float> %v353
  %v355 = call <16 x float> @exp_v16f32(<16 x float> %v354)
  %v356 = fadd <16 x float> %v355, splat (float 0x3FF0000000000000)
  %v357 = fdiv <16 x float> %v353, %v356
  %v358 = load <16 x float>, ptr %c335, align 4
  %v359 = fmul <16 x float> %v357, %v358
  store <16 x float> %v359, ptr %c335, align 4
  br label %done353
done353:
  %v360 = load <16 x float>, ptr %c335, align 4
  store <16 x float> %v360, ptr %v334, align 4
  br label %done328
done328:
  %v361 = add i64 %v84, 1
  store i64 %v361, ptr %c80, align 8
  br label %head82
done84:
  ret void
}
