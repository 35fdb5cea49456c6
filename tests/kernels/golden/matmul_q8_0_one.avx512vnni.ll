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
  %c275 = alloca <16 x float>
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
  %v136 = mul i64 %v99, %v64
  %v137 = getelementptr i8, ptr %v6, i64 %v136
  %v138 = mul i64 %v99, %v66
  %v139 = getelementptr i8, ptr %v14, i64 %v138
  %v140 = mul i64 0, 16
  %v141 = mul i64 %v99, 512
  %v142 = getelementptr i8, ptr %v87, i64 %v141
  %v143 = mul i64 %v140, 4
  %v144 = getelementptr i8, ptr %v142, i64 %v143
  %v145 = load <64 x i8>, ptr %v144, align 16
  %v146 = mul i64 %v99, 512
  %v147 = getelementptr i8, ptr %v87, i64 %v146
  %v148 = getelementptr i8, ptr %v147, i64 64
  %v149 = mul i64 %v140, 4
  %v150 = getelementptr i8, ptr %v148, i64 %v149
  %v151 = load <64 x i8>, ptr %v150, align 16
  %v152 = mul i64 %v99, 512
  %v153 = getelementptr i8, ptr %v87, i64 %v152
  %v154 = getelementptr i8, ptr %v153, i64 128
  %v155 = mul i64 %v140, 4
  %v156 = getelementptr i8, ptr %v154, i64 %v155
  %v157 = load <64 x i8>, ptr %v156, align 16
  %v158 = mul i64 %v99, 512
  %v159 = getelementptr i8, ptr %v87, i64 %v158
  %v160 = getelementptr i8, ptr %v159, i64 192
  %v161 = mul i64 %v140, 4
  %v162 = getelementptr i8, ptr %v160, i64 %v161
  %v163 = load <64 x i8>, ptr %v162, align 16
  %v164 = mul i64 %v99, 512
  %v165 = getelementptr i8, ptr %v87, i64 %v164
  %v166 = getelementptr i8, ptr %v165, i64 256
  %v167 = mul i64 %v140, 4
  %v168 = getelementptr i8, ptr %v166, i64 %v167
  %v169 = load <64 x i8>, ptr %v168, align 16
  %v170 = mul i64 %v99, 512
  %v171 = getelementptr i8, ptr %v87, i64 %v170
  %v172 = getelementptr i8, ptr %v171, i64 320
  %v173 = mul i64 %v140, 4
  %v174 = getelementptr i8, ptr %v172, i64 %v173
  %v175 = load <64 x i8>, ptr %v174, align 16
  %v176 = mul i64 %v99, 512
  %v177 = getelementptr i8, ptr %v87, i64 %v176
  %v178 = getelementptr i8, ptr %v177, i64 384
  %v179 = mul i64 %v140, 4
  %v180 = getelementptr i8, ptr %v178, i64 %v179
  %v181 = load <64 x i8>, ptr %v180, align 16
  %v182 = mul i64 %v99, 512
  %v183 = getelementptr i8, ptr %v87, i64 %v182
  %v184 = getelementptr i8, ptr %v183, i64 448
  %v185 = mul i64 %v140, 4
  %v186 = getelementptr i8, ptr %v184, i64 %v185
  %v187 = load <64 x i8>, ptr %v186, align 16
  %v188 = xor <64 x i8> %v145, splat (i8 -128)
  %v189 = load i32, ptr %v137, align 4
  %v190 = insertelement <16 x i32> poison, i32 %v189, i32 0
  %v191 = shufflevector <16 x i32> %v190, <16 x i32> poison, <16 x i32> zeroinitializer
  %v192 = bitcast <16 x i32> %v191 to <64 x i8>
  %v193 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> zeroinitializer, <64 x i8> %v188, <64 x i8> %v192)
  %v194 = xor <64 x i8> %v151, splat (i8 -128)
  %v195 = getelementptr i8, ptr %v137, i64 4
  %v196 = load i32, ptr %v195, align 4
  %v197 = insertelement <16 x i32> poison, i32 %v196, i32 0
  %v198 = shufflevector <16 x i32> %v197, <16 x i32> poison, <16 x i32> zeroinitializer
  %v199 = bitcast <16 x i32> %v198 to <64 x i8>
  %v200 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v193, <64 x i8> %v194, <64 x i8> %v199)
  %v201 = xor <64 x i8> %v157, splat (i8 -128)
  %v202 = getelementptr i8, ptr %v137, i64 8
  %v203 = load i32, ptr %v202, align 4
  %v204 = insertelement <16 x i32> poison, i32 %v203, i32 0
  %v205 = shufflevector <16 x i32> %v204, <16 x i32> poison, <16 x i32> zeroinitializer
  %v206 = bitcast <16 x i32> %v205 to <64 x i8>
  %v207 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v200, <64 x i8> %v201, <64 x i8> %v206)
  %v208 = xor <64 x i8> %v163, splat (i8 -128)
  %v209 = getelementptr i8, ptr %v137, i64 12
  %v210 = load i32, ptr %v209, align 4
  %v211 = insertelement <16 x i32> poison, i32 %v210, i32 0
  %v212 = shufflevector <16 x i32> %v211, <16 x i32> poison, <16 x i32> zeroinitializer
  %v213 = bitcast <16 x i32> %v212 to <64 x i8>
  %v214 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v207, <64 x i8> %v208, <64 x i8> %v213)
  %v215 = xor <64 x i8> %v169, splat (i8 -128)
  %v216 = getelementptr i8, ptr %v137, i64 16
  %v217 = load i32, ptr %v216, align 4
  %v218 = insertelement <16 x i32> poison, i32 %v217, i32 0
  %v219 = shufflevector <16 x i32> %v218, <16 x i32> poison, <16 x i32> zeroinitializer
  %v220 = bitcast <16 x i32> %v219 to <64 x i8>
  %v221 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v214, <64 x i8> %v215, <64 x i8> %v220)
  %v222 = xor <64 x i8> %v175, splat (i8 -128)
  %v223 = getelementptr i8, ptr %v137, i64 20
  %v224 = load i32, ptr %v223, align 4
  %v225 = insertelement <16 x i32> poison, i32 %v224, i32 0
  %v226 = shufflevector <16 x i32> %v225, <16 x i32> poison, <16 x i32> zeroinitializer
  %v227 = bitcast <16 x i32> %v226 to <64 x i8>
  %v228 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v221, <64 x i8> %v222, <64 x i8> %v227)
  %v229 = xor <64 x i8> %v181, splat (i8 -128)
  %v230 = getelementptr i8, ptr %v137, i64 24
  %v231 = load i32, ptr %v230, align 4
  %v232 = insertelement <16 x i32> poison, i32 %v231, i32 0
  %v233 = shufflevector <16 x i32> %v232, <16 x i32> poison, <16 x i32> zeroinitializer
  %v234 = bitcast <16 x i32> %v233 to <64 x i8>
  %v235 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v228, <64 x i8> %v229, <64 x i8> %v234)
  %v236 = xor <64 x i8> %v187, splat (i8 -128)
  %v237 = getelementptr i8, ptr %v137, i64 28
  %v238 = load i32, ptr %v237, align 4
  %v239 = insertelement <16 x i32> poison, i32 %v238, i32 0
  %v240 = shufflevector <16 x i32> %v239, <16 x i32> poison, <16 x i32> zeroinitializer
  %v241 = bitcast <16 x i32> %v240 to <64 x i8>
  %v242 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v235, <64 x i8> %v236, <64 x i8> %v241)
  %v243 = getelementptr i8, ptr %v139, i64 4
  %v244 = load i32, ptr %v243, align 4
  %v245 = mul i32 %v244, 128
  %v246 = insertelement <16 x i32> poison, i32 %v245, i32 0
  %v247 = shufflevector <16 x i32> %v246, <16 x i32> poison, <16 x i32> zeroinitializer
  %v248 = sub <16 x i32> %v242, %v247
  %v249 = mul i64 %v99, 32
  %v250 = getelementptr i8, ptr %v88, i64 %v249
  %v251 = mul i64 %v140, 2
  %v252 = getelementptr i8, ptr %v250, i64 %v251
  %v253 = load <16 x i16>, ptr %v252, align 2
  %v254 = bitcast <16 x i16> %v253 to <16 x half>
  %v255 = fpext <16 x half> %v254 to <16 x float>
  %v256 = load float, ptr %v139, align 4
  %v257 = insertelement <16 x float> poison, float %v256, i32 0
  %v258 = shufflevector <16 x float> %v257, <16 x float> poison, <16 x i32> zeroinitializer
  %v259 = fmul <16 x float> %v255, %v258
  %v260 = sitofp <16 x i32> %v248 to <16 x float>
  %v261 = load <16 x float>, ptr %c93, align 4
  %v262 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v260, <16 x float> %v259, <16 x float> %v261)
  store <16 x float> %v262, ptr %c93, align 4
  %v263 = add i64 %v99, 1
  store i64 %v263, ptr %c95, align 8
  br label %head97
done99:
  %v264 = load <16 x float>, ptr %c93, align 4
  %v265 = icmp slt i64 %v84, %v79
  br i1 %v265, label %then267, label %done268
then267:
  %v268 = mul i64 0, 16
  %v269 = mul i64 %v84, 16
  %v270 = add i64 %v269, %v268
  %v271 = mul i64 %v270, 4
  %v272 = mul i64 0, %v68
  %v273 = getelementptr i8, ptr %v30, i64 %v272
  %v274 = getelementptr i8, ptr %v273, i64 %v271
  store <16 x float> %v264, ptr %c275, align 4
  %v276 = ptrtoint ptr %v38 to i64
  %v277 = icmp ne i64 %v276, 0
  br i1 %v277, label %then279, label %done280
then279:
  %v280 = load <16 x float>, ptr %c275, align 4
  %v281 = getelementptr i8, ptr %v38, i64 %v271
  %v282 = load <16 x float>, ptr %v281, align 4
  %v283 = fadd <16 x float> %v280, %v282
  store <16 x float> %v283, ptr %c275, align 4
  br label %done280
done280:
  %v284 = icmp eq i64 %v74, 1
  br i1 %v284, label %then286, label %done287
then286:
  %v287 = load <16 x float>, ptr %v274, align 4
  %v288 = load <16 x float>, ptr %c275, align 4
  %v289 = fadd <16 x float> %v287, %v288
  store <16 x float> %v289, ptr %c275, align 4
  br label %done287
done287:
  %v290 = icmp eq i64 %v74, 2
  br i1 %v290, label %then292, label %done293
then292:
  %v293 = load <16 x float>, ptr %v274, align 4
  %v294 = fneg <16 x float> %v293
  %v295 = call <16 x float> @exp_v16f32(<16 x float> %v294)
  %v296 = fadd <16 x float> %v295, splat (float 0x3FF0000000000000)
  %v297 = fdiv <16 x float> %v293, %v296
  %v298 = load <16 x float>, ptr %c275, align 4
  %v299 = fmul <16 x float> %v297, %v298
  store <16 x float> %v299, ptr %c275, align 4
  br label %done293
done293:
  %v300 = load <16 x float>, ptr %c275, align 4
  store <16 x float> %v300, ptr %v274, align 4
  br label %done268
done268:
  %v301 = add i64 %v84, 1
  store i64 %v301, ptr %c80, align 8
  br label %head82
done84:
  ret void
}
