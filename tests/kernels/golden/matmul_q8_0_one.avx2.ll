declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <32 x i8> @llvm.abs.v32i8(<32 x i8>, i1)
declare <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8>, <32 x i8>)
declare <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8>, <32 x i8>)
declare <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16>, <16 x i16>)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare <8 x float> @llvm.roundeven.v8f32(<8 x float>)

define internal <8 x float> @exp_v8f32(<8 x float> %a0) nounwind {
entry:
  br label %start
start:
  %v0 = fcmp ogt <8 x float> %a0, splat (float 0x4056000000000000)
  %v1 = select <8 x i1> %v0, <8 x float> splat (float 0x4056000000000000), <8 x float> %a0
  %v2 = fcmp olt <8 x float> %a0, splat (float 0xC055C00000000000)
  %v3 = select <8 x i1> %v2, <8 x float> splat (float 0xC055C00000000000), <8 x float> %v1
  %v4 = fmul <8 x float> %v3, splat (float 0x3FF7154760000000)
  %v5 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v4)
  %v6 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v5, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v3)
  %v7 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v5, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v6)
  %v8 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56C16C20000000), <8 x float> %v7, <8 x float> splat (float 0x3F81111120000000))
  %v9 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v8, <8 x float> %v7, <8 x float> splat (float 0x3FA5555560000000))
  %v10 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v9, <8 x float> %v7, <8 x float> splat (float 0x3FC5555560000000))
  %v11 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v10, <8 x float> %v7, <8 x float> splat (float 0x3FE0000000000000))
  %v12 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v11, <8 x float> %v7, <8 x float> splat (float 0x3FF0000000000000))
  %v13 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v12, <8 x float> %v7, <8 x float> splat (float 0x3FF0000000000000))
  %v14 = fptosi <8 x float> %v5 to <8 x i32>
  %v15 = add <8 x i32> %v14, splat (i32 127)
  %v16 = shl <8 x i32> %v15, splat (i32 23)
  %v17 = fcmp olt <8 x float> %a0, splat (float 0xC055C00000000000)
  %v18 = bitcast <8 x i32> %v16 to <8 x float>
  %v19 = fmul <8 x float> %v13, %v18
  %v20 = select <8 x i1> %v17, <8 x float> zeroinitializer, <8 x float> %v19
  ret <8 x float> %v20
}

define  void @matmul_q8_0_one(ptr %bases, ptr %args, ptr %step, i64 %thread, i64 %threads) nounwind {
entry:
  %c70 = alloca i64
  %c79 = alloca <8 x float>
  %c80 = alloca <8 x float>
  %c90 = alloca i64
  %c429 = alloca <8 x float>
  %c462 = alloca <8 x float>
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
  %v41 = getelementptr i8, ptr %args, i64 88
  %v42 = load i64, ptr %v41, align 8
  %v43 = getelementptr i8, ptr %args, i64 96
  %v44 = load i64, ptr %v43, align 8
  %v45 = getelementptr i8, ptr %args, i64 104
  %v46 = load i64, ptr %v45, align 8
  %v47 = getelementptr i8, ptr %args, i64 112
  %v48 = load i64, ptr %v47, align 8
  %v49 = getelementptr i8, ptr %args, i64 120
  %v50 = load i64, ptr %v49, align 8
  %v51 = getelementptr i8, ptr %args, i64 128
  %v52 = load i64, ptr %v51, align 8
  %v53 = getelementptr i8, ptr %args, i64 136
  %v54 = load i64, ptr %v53, align 8
  %v55 = getelementptr i8, ptr %args, i64 144
  %v56 = load i64, ptr %v55, align 8
  %v57 = getelementptr i8, ptr %args, i64 152
  %v58 = load i64, ptr %v57, align 8
  %v59 = getelementptr i8, ptr %args, i64 160
  %v60 = load i64, ptr %v59, align 8
  %v61 = getelementptr i8, ptr %args, i64 168
  %v62 = load i64, ptr %v61, align 8
  %v63 = getelementptr i8, ptr %args, i64 176
  %v64 = load i64, ptr %v63, align 8
  %v65 = mul i64 %v42, %thread
  %v66 = sdiv i64 %v65, %threads
  %v67 = add i64 %thread, 1
  %v68 = mul i64 %v42, %v67
  %v69 = sdiv i64 %v68, %threads
  store i64 %v66, ptr %c70, align 8
  br label %head72
head72:
  %v74 = load i64, ptr %c70, align 8
  %v75 = icmp slt i64 %v74, %v69
  br i1 %v75, label %body73, label %done74
body73:
  %v76 = mul i64 %v74, %v44
  %v77 = getelementptr i8, ptr %v22, i64 %v76
  %v78 = getelementptr i8, ptr %v77, i64 %v46
  store <8 x float> zeroinitializer, ptr %c79, align 4
  store <8 x float> zeroinitializer, ptr %c80, align 4
  %v81 = mul i64 0, %v56
  %v82 = getelementptr i8, ptr %v6, i64 %v81
  %v83 = mul i64 0, %v58
  %v84 = getelementptr i8, ptr %v14, i64 %v83
  %v85 = sdiv i64 %v40, 32
  %v86 = sdiv i64 31, %v85
  %v87 = mul i64 %v86, %v44
  %v88 = srem i64 31, %v85
  %v89 = sdiv i64 %v40, 32
  store i64 0, ptr %c90, align 8
  br label %head92
head92:
  %v94 = load i64, ptr %c90, align 8
  %v95 = icmp slt i64 %v94, %v89
  br i1 %v95, label %body93, label %done94
body93:
  %v96 = add i64 %v94, %v88
  %v97 = icmp sge i64 %v96, %v85
  %v98 = select i1 %v97, i64 %v44, i64 0
  %v99 = add i64 %v87, %v98
  %v100 = select i1 %v97, i64 %v85, i64 0
  %v101 = sub i64 %v96, %v100
  %v102 = getelementptr i8, ptr %v77, i64 %v99
  %v103 = mul i64 %v101, 512
  %v104 = getelementptr i8, ptr %v102, i64 %v103
  %v105 = getelementptr i8, ptr %v78, i64 %v99
  %v106 = mul i64 %v101, 32
  %v107 = getelementptr i8, ptr %v105, i64 %v106
  call void @llvm.prefetch.p0(ptr %v107, i32 0, i32 2, i32 1)
  %v108 = mul i64 0, 512
  %v109 = getelementptr i8, ptr %v104, i64 %v108
  call void @llvm.prefetch.p0(ptr %v109, i32 0, i32 2, i32 1)
  %v110 = mul i64 0, 512
  %v111 = getelementptr i8, ptr %v104, i64 %v110
  %v112 = getelementptr i8, ptr %v111, i64 64
  call void @llvm.prefetch.p0(ptr %v112, i32 0, i32 2, i32 1)
  %v113 = mul i64 0, 512
  %v114 = getelementptr i8, ptr %v104, i64 %v113
  %v115 = getelementptr i8, ptr %v114, i64 128
  call void @llvm.prefetch.p0(ptr %v115, i32 0, i32 2, i32 1)
  %v116 = mul i64 0, 512
  %v117 = getelementptr i8, ptr %v104, i64 %v116
  %v118 = getelementptr i8, ptr %v117, i64 192
  call void @llvm.prefetch.p0(ptr %v118, i32 0, i32 2, i32 1)
  %v119 = mul i64 0, 512
  %v120 = getelementptr i8, ptr %v104, i64 %v119
  %v121 = getelementptr i8, ptr %v120, i64 256
  call void @llvm.prefetch.p0(ptr %v121, i32 0, i32 2, i32 1)
  %v122 = mul i64 0, 512
  %v123 = getelementptr i8, ptr %v104, i64 %v122
  %v124 = getelementptr i8, ptr %v123, i64 320
  call void @llvm.prefetch.p0(ptr %v124, i32 0, i32 2, i32 1)
  %v125 = mul i64 0, 512
  %v126 = getelementptr i8, ptr %v104, i64 %v125
  %v127 = getelementptr i8, ptr %v126, i64 384
  call void @llvm.prefetch.p0(ptr %v127, i32 0, i32 2, i32 1)
  %v128 = mul i64 0, 512
  %v129 = getelementptr i8, ptr %v104, i64 %v128
  %v130 = getelementptr i8, ptr %v129, i64 448
  call void @llvm.prefetch.p0(ptr %v130, i32 0, i32 2, i32 1)
  %v131 = mul i64 %v94, 16
  %v132 = getelementptr i8, ptr %v84, i64 %v131
  %v133 = mul i64 %v94, 32
  %v134 = getelementptr i8, ptr %v82, i64 %v133
  %v135 = mul i64 0, 8
  %v136 = mul i64 %v94, 32
  %v137 = getelementptr i8, ptr %v78, i64 %v136
  %v138 = mul i64 %v135, 2
  %v139 = getelementptr i8, ptr %v137, i64 %v138
  %v140 = load <8 x i16>, ptr %v139, align 2
  %v141 = bitcast <8 x i16> %v140 to <8 x half>
  %v142 = fpext <8 x half> %v141 to <8 x float>
  %v143 = mul i64 0, 8
  %v144 = mul i64 %v94, 512
  %v145 = getelementptr i8, ptr %v77, i64 %v144
  %v146 = mul i64 %v143, 4
  %v147 = getelementptr i8, ptr %v145, i64 %v146
  %v148 = load <32 x i8>, ptr %v147, align 16
  %v149 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v148, i1 false)
  %v150 = load i32, ptr %v134, align 4
  %v151 = insertelement <8 x i32> poison, i32 %v150, i32 0
  %v152 = shufflevector <8 x i32> %v151, <8 x i32> poison, <8 x i32> zeroinitializer
  %v153 = bitcast <8 x i32> %v152 to <32 x i8>
  %v154 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v153, <32 x i8> %v148)
  %v155 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v149, <32 x i8> %v154)
  %v156 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v155, <16 x i16> splat (i16 1))
  %v157 = add <8 x i32> zeroinitializer, %v156
  %v158 = mul i64 %v94, 512
  %v159 = getelementptr i8, ptr %v77, i64 %v158
  %v160 = getelementptr i8, ptr %v159, i64 64
  %v161 = mul i64 %v143, 4
  %v162 = getelementptr i8, ptr %v160, i64 %v161
  %v163 = load <32 x i8>, ptr %v162, align 16
  %v164 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v163, i1 false)
  %v165 = getelementptr i8, ptr %v134, i64 4
  %v166 = load i32, ptr %v165, align 4
  %v167 = insertelement <8 x i32> poison, i32 %v166, i32 0
  %v168 = shufflevector <8 x i32> %v167, <8 x i32> poison, <8 x i32> zeroinitializer
  %v169 = bitcast <8 x i32> %v168 to <32 x i8>
  %v170 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v169, <32 x i8> %v163)
  %v171 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v164, <32 x i8> %v170)
  %v172 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v171, <16 x i16> splat (i16 1))
  %v173 = add <8 x i32> %v157, %v172
  %v174 = mul i64 %v94, 512
  %v175 = getelementptr i8, ptr %v77, i64 %v174
  %v176 = getelementptr i8, ptr %v175, i64 128
  %v177 = mul i64 %v143, 4
  %v178 = getelementptr i8, ptr %v176, i64 %v177
  %v179 = load <32 x i8>, ptr %v178, align 16
  %v180 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v179, i1 false)
  %v181 = getelementptr i8, ptr %v134, i64 8
  %v182 = load i32, ptr %v181, align 4
  %v183 = insertelement <8 x i32> poison, i32 %v182, i32 0
  %v184 = shufflevector <8 x i32> %v183, <8 x i32> poison, <8 x i32> zeroinitializer
  %v185 = bitcast <8 x i32> %v184 to <32 x i8>
  %v186 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v185, <32 x i8> %v179)
  %v187 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v180, <32 x i8> %v186)
  %v188 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v187, <16 x i16> splat (i16 1))
  %v189 = add <8 x i32> %v173, %v188
  %v190 = mul i64 %v94, 512
  %v191 = getelementptr i8, ptr %v77, i64 %v190
  %v192 = getelementptr i8, ptr %v191, i64 192
  %v193 = mul i64 %v143, 4
  %v194 = getelementptr i8, ptr %v192, i64 %v193
  %v195 = load <32 x i8>, ptr %v194, align 16
  %v196 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v195, i1 false)
  %v197 = getelementptr i8, ptr %v134, i64 12
  %v198 = load i32, ptr %v197, align 4
  %v199 = insertelement <8 x i32> poison, i32 %v198, i32 0
  %v200 = shufflevector <8 x i32> %v199, <8 x i32> poison, <8 x i32> zeroinitializer
  %v201 = bitcast <8 x i32> %v200 to <32 x i8>
  %v202 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v201, <32 x i8> %v195)
  %v203 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v196, <32 x i8> %v202)
  %v204 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v203, <16 x i16> splat (i16 1))
  %v205 = add <8 x i32> %v189, %v204
  %v206 = mul i64 %v94, 512
  %v207 = getelementptr i8, ptr %v77, i64 %v206
  %v208 = getelementptr i8, ptr %v207, i64 256
  %v209 = mul i64 %v143, 4
  %v210 = getelementptr i8, ptr %v208, i64 %v209
  %v211 = load <32 x i8>, ptr %v210, align 16
  %v212 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v211, i1 false)
  %v213 = getelementptr i8, ptr %v134, i64 16
  %v214 = load i32, ptr %v213, align 4
  %v215 = insertelement <8 x i32> poison, i32 %v214, i32 0
  %v216 = shufflevector <8 x i32> %v215, <8 x i32> poison, <8 x i32> zeroinitializer
  %v217 = bitcast <8 x i32> %v216 to <32 x i8>
  %v218 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v217, <32 x i8> %v211)
  %v219 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v212, <32 x i8> %v218)
  %v220 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v219, <16 x i16> splat (i16 1))
  %v221 = add <8 x i32> %v205, %v220
  %v222 = mul i64 %v94, 512
  %v223 = getelementptr i8, ptr %v77, i64 %v222
  %v224 = getelementptr i8, ptr %v223, i64 320
  %v225 = mul i64 %v143, 4
  %v226 = getelementptr i8, ptr %v224, i64 %v225
  %v227 = load <32 x i8>, ptr %v226, align 16
  %v228 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v227, i1 false)
  %v229 = getelementptr i8, ptr %v134, i64 20
  %v230 = load i32, ptr %v229, align 4
  %v231 = insertelement <8 x i32> poison, i32 %v230, i32 0
  %v232 = shufflevector <8 x i32> %v231, <8 x i32> poison, <8 x i32> zeroinitializer
  %v233 = bitcast <8 x i32> %v232 to <32 x i8>
  %v234 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v233, <32 x i8> %v227)
  %v235 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v228, <32 x i8> %v234)
  %v236 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v235, <16 x i16> splat (i16 1))
  %v237 = add <8 x i32> %v221, %v236
  %v238 = mul i64 %v94, 512
  %v239 = getelementptr i8, ptr %v77, i64 %v238
  %v240 = getelementptr i8, ptr %v239, i64 384
  %v241 = mul i64 %v143, 4
  %v242 = getelementptr i8, ptr %v240, i64 %v241
  %v243 = load <32 x i8>, ptr %v242, align 16
  %v244 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v243, i1 false)
  %v245 = getelementptr i8, ptr %v134, i64 24
  %v246 = load i32, ptr %v245, align 4
  %v247 = insertelement <8 x i32> poison, i32 %v246, i32 0
  %v248 = shufflevector <8 x i32> %v247, <8 x i32> poison, <8 x i32> zeroinitializer
  %v249 = bitcast <8 x i32> %v248 to <32 x i8>
  %v250 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v249, <32 x i8> %v243)
  %v251 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v244, <32 x i8> %v250)
  %v252 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v251, <16 x i16> splat (i16 1))
  %v253 = add <8 x i32> %v237, %v252
  %v254 = mul i64 %v94, 512
  %v255 = getelementptr i8, ptr %v77, i64 %v254
  %v256 = getelementptr i8, ptr %v255, i64 448
  %v257 = mul i64 %v143, 4
  %v258 = getelementptr i8, ptr %v256, i64 %v257
  %v259 = load <32 x i8>, ptr %v258, align 16
  %v260 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v259, i1 false)
  %v261 = getelementptr i8, ptr %v134, i64 28
  %v262 = load i32, ptr %v261, align 4
  %v263 = insertelement <8 x i32> poison, i32 %v262, i32 0
  %v264 = shufflevector <8 x i32> %v263, <8 x i32> poison, <8 x i32> zeroinitializer
  %v265 = bitcast <8 x i32> %v264 to <32 x i8>
  %v266 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v265, <32 x i8> %v259)
  %v267 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v260, <32 x i8> %v266)
  %v268 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v267, <16 x i16> splat (i16 1))
  %v269 = add <8 x i32> %v253, %v268
  %v270 = sitofp <8 x i32> %v269 to <8 x float>
  %v271 = load float, ptr %v132, align 4
  %v272 = insertelement <8 x float> poison, float %v271, i32 0
  %v273 = shufflevector <8 x float> %v272, <8 x float> poison, <8 x i32> zeroinitializer
  %v274 = fmul <8 x float> %v142, %v273
  %v275 = load <8 x float>, ptr %c79, align 4
  %v276 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v270, <8 x float> %v274, <8 x float> %v275)
  store <8 x float> %v276, ptr %c79, align 4
  %v277 = mul i64 1, 8
  %v278 = mul i64 %v94, 32
  %v279 = getelementptr i8, ptr %v78, i64 %v278
  %v280 = mul i64 %v277, 2
  %v281 = getelementptr i8, ptr %v279, i64 %v280
  %v282 = load <8 x i16>, ptr %v281, align 2
  %v283 = bitcast <8 x i16> %v282 to <8 x half>
  %v284 = fpext <8 x half> %v283 to <8 x float>
  %v285 = mul i64 1, 8
  %v286 = mul i64 %v94, 512
  %v287 = getelementptr i8, ptr %v77, i64 %v286
  %v288 = mul i64 %v285, 4
  %v289 = getelementptr i8, ptr %v287, i64 %v288
  %v290 = load <32 x i8>, ptr %v289, align 16
  %v291 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v290, i1 false)
  %v292 = load i32, ptr %v134, align 4
  %v293 = insertelement <8 x i32> poison, i32 %v292, i32 0
  %v294 = shufflevector <8 x i32> %v293, <8 x i32> poison, <8 x i32> zeroinitializer
  %v295 = bitcast <8 x i32> %v294 to <32 x i8>
  %v296 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v295, <32 x i8> %v290)
  %v297 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v291, <32 x i8> %v296)
  %v298 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v297, <16 x i16> splat (i16 1))
  %v299 = add <8 x i32> zeroinitializer, %v298
  %v300 = mul i64 %v94, 512
  %v301 = getelementptr i8, ptr %v77, i64 %v300
  %v302 = getelementptr i8, ptr %v301, i64 64
  %v303 = mul i64 %v285, 4
  %v304 = getelementptr i8, ptr %v302, i64 %v303
  %v305 = load <32 x i8>, ptr %v304, align 16
  %v306 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v305, i1 false)
  %v307 = getelementptr i8, ptr %v134, i64 4
  %v308 = load i32, ptr %v307, align 4
  %v309 = insertelement <8 x i32> poison, i32 %v308, i32 0
  %v310 = shufflevector <8 x i32> %v309, <8 x i32> poison, <8 x i32> zeroinitializer
  %v311 = bitcast <8 x i32> %v310 to <32 x i8>
  %v312 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v311, <32 x i8> %v305)
  %v313 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v306, <32 x i8> %v312)
  %v314 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v313, <16 x i16> splat (i16 1))
  %v315 = add <8 x i32> %v299, %v314
  %v316 = mul i64 %v94, 512
  %v317 = getelementptr i8, ptr %v77, i64 %v316
  %v318 = getelementptr i8, ptr %v317, i64 128
  %v319 = mul i64 %v285, 4
  %v320 = getelementptr i8, ptr %v318, i64 %v319
  %v321 = load <32 x i8>, ptr %v320, align 16
  %v322 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v321, i1 false)
  %v323 = getelementptr i8, ptr %v134, i64 8
  %v324 = load i32, ptr %v323, align 4
  %v325 = insertelement <8 x i32> poison, i32 %v324, i32 0
  %v326 = shufflevector <8 x i32> %v325, <8 x i32> poison, <8 x i32> zeroinitializer
  %v327 = bitcast <8 x i32> %v326 to <32 x i8>
  %v328 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v327, <32 x i8> %v321)
  %v329 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v322, <32 x i8> %v328)
  %v330 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v329, <16 x i16> splat (i16 1))
  %v331 = add <8 x i32> %v315, %v330
  %v332 = mul i64 %v94, 512
  %v333 = getelementptr i8, ptr %v77, i64 %v332
  %v334 = getelementptr i8, ptr %v333, i64 192
  %v335 = mul i64 %v285, 4
  %v336 = getelementptr i8, ptr %v334, i64 %v335
  %v337 = load <32 x i8>, ptr %v336, align 16
  %v338 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v337, i1 false)
  %v339 = getelementptr i8, ptr %v134, i64 12
  %v340 = load i32, ptr %v339, align 4
  %v341 = insertelement <8 x i32> poison, i32 %v340, i32 0
  %v342 = shufflevector <8 x i32> %v341, <8 x i32> poison, <8 x i32> zeroinitializer
  %v343 = bitcast <8 x i32> %v342 to <32 x i8>
  %v344 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v343, <32 x i8> %v337)
  %v345 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v338, <32 x i8> %v344)
  %v346 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v345, <16 x i16> splat (i16 1))
  %v347 = add <8 x i32> %v331, %v346
  %v348 = mul i64 %v94, 512
  %v349 = getelementptr i8, ptr %v77, i64 %v348
  %v350 = getelementptr i8, ptr %v349, i64 256
  %v351 = mul i64 %v285, 4
  %v352 = getelementptr i8, ptr %v350, i64 %v351
  %v353 = load <32 x i8>, ptr %v352, align 16
  %v354 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v353, i1 false)
  %v355 = getelementptr i8, ptr %v134, i64 16
  %v356 = load i32, ptr %v355, align 4
  %v357 = insertelement <8 x i32> poison, i32 %v356, i32 0
  %v358 = shufflevector <8 x i32> %v357, <8 x i32> poison, <8 x i32> zeroinitializer
  %v359 = bitcast <8 x i32> %v358 to <32 x i8>
  %v360 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v359, <32 x i8> %v353)
  %v361 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v354, <32 x i8> %v360)
  %v362 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v361, <16 x i16> splat (i16 1))
  %v363 = add <8 x i32> %v347, %v362
  %v364 = mul i64 %v94, 512
  %v365 = getelementptr i8, ptr %v77, i64 %v364
  %v366 = getelementptr i8, ptr %v365, i64 320
  %v367 = mul i64 %v285, 4
  %v368 = getelementptr i8, ptr %v366, i64 %v367
  %v369 = load <32 x i8>, ptr %v368, align 16
  %v370 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v369, i1 false)
  %v371 = getelementptr i8, ptr %v134, i64 20
  %v372 = load i32, ptr %v371, align 4
  %v373 = insertelement <8 x i32> poison, i32 %v372, i32 0
  %v374 = shufflevector <8 x i32> %v373, <8 x i32> poison, <8 x i32> zeroinitializer
  %v375 = bitcast <8 x i32> %v374 to <32 x i8>
  %v376 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v375, <32 x i8> %v369)
  %v377 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v370, <32 x i8> %v376)
  %v378 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v377, <16 x i16> splat (i16 1))
  %v379 = add <8 x i32> %v363, %v378
  %v380 = mul i64 %v94, 512
  %v381 = getelementptr i8, ptr %v77, i64 %v380
  %v382 = getelementptr i8, ptr %v381, i64 384
  %v383 = mul i64 %v285, 4
  %v384 = getelementptr i8, ptr %v382, i64 %v383
  %v385 = load <32 x i8>, ptr %v384, align 16
  %v386 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v385, i1 false)
  %v387 = getelementptr i8, ptr %v134, i64 24
  %v388 = load i32, ptr %v387, align 4
  %v389 = insertelement <8 x i32> poison, i32 %v388, i32 0
  %v390 = shufflevector <8 x i32> %v389, <8 x i32> poison, <8 x i32> zeroinitializer
  %v391 = bitcast <8 x i32> %v390 to <32 x i8>
  %v392 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v391, <32 x i8> %v385)
  %v393 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v386, <32 x i8> %v392)
  %v394 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v393, <16 x i16> splat (i16 1))
  %v395 = add <8 x i32> %v379, %v394
  %v396 = mul i64 %v94, 512
  %v397 = getelementptr i8, ptr %v77, i64 %v396
  %v398 = getelementptr i8, ptr %v397, i64 448
  %v399 = mul i64 %v285, 4
  %v400 = getelementptr i8, ptr %v398, i64 %v399
  %v401 = load <32 x i8>, ptr %v400, align 16
  %v402 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v401, i1 false)
  %v403 = getelementptr i8, ptr %v134, i64 28
  %v404 = load i32, ptr %v403, align 4
  %v405 = insertelement <8 x i32> poison, i32 %v404, i32 0
  %v406 = shufflevector <8 x i32> %v405, <8 x i32> poison, <8 x i32> zeroinitializer
  %v407 = bitcast <8 x i32> %v406 to <32 x i8>
  %v408 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v407, <32 x i8> %v401)
  %v409 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v402, <32 x i8> %v408)
  %v410 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v409, <16 x i16> splat (i16 1))
  %v411 = add <8 x i32> %v395, %v410
  %v412 = sitofp <8 x i32> %v411 to <8 x float>
  %v413 = load float, ptr %v132, align 4
  %v414 = insertelement <8 x float> poison, float %v413, i32 0
  %v415 = shufflevector <8 x float> %v414, <8 x float> poison, <8 x i32> zeroinitializer
  %v416 = fmul <8 x float> %v284, %v415
  %v417 = load <8 x float>, ptr %c80, align 4
  %v418 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v412, <8 x float> %v416, <8 x float> %v417)
  store <8 x float> %v418, ptr %c80, align 4
  %v419 = add i64 %v94, 1
  store i64 %v419, ptr %c90, align 8
  br label %head92
done94:
  %v420 = load <8 x float>, ptr %c79, align 4
  %v421 = load <8 x float>, ptr %c80, align 4
  %v422 = mul i64 %v74, 16
  %v423 = mul i64 0, 8
  %v424 = add i64 %v422, %v423
  %v425 = mul i64 %v424, 4
  %v426 = mul i64 0, %v60
  %v427 = getelementptr i8, ptr %v30, i64 %v426
  %v428 = getelementptr i8, ptr %v427, i64 %v425
  store <8 x float> %v420, ptr %c429, align 4
  %v430 = ptrtoint ptr %v38 to i64
  %v431 = icmp ne i64 %v430, 0
  br i1 %v431, label %then433, label %done434
then433:
  %v434 = load <8 x float>, ptr %c429, align 4
  %v435 = getelementptr i8, ptr %v38, i64 %v425
  %v436 = load <8 x float>, ptr %v435, align 4
  %v437 = fadd <8 x float> %v434, %v436
  store <8 x float> %v437, ptr %c429, align 4
  br label %done434
done434:
  %v438 = icmp eq i64 %v64, 1
  br i1 %v438, label %then440, label %done441
then440:
  %v441 = load <8 x float>, ptr %v428, align 4
  %v442 = load <8 x float>, ptr %c429, align 4
  %v443 = fadd <8 x float> %v441, %v442
  store <8 x float> %v443, ptr %c429, align 4
  br label %done441
done441:
  %v444 = icmp eq i64 %v64, 2
  br i1 %v444, label %then446, label %done447
then446:
  %v447 = load <8 x float>, ptr %v428, align 4
  %v448 = fneg <8 x float> %v447
  %v449 = call <8 x float> @exp_v8f32(<8 x float> %v448)
  %v450 = fadd <8 x float> %v449, splat (float 0x3FF0000000000000)
  %v451 = fdiv <8 x float> %v447, %v450
  %v452 = load <8 x float>, ptr %c429, align 4
  %v453 = fmul <8 x float> %v451, %v452
  store <8 x float> %v453, ptr %c429, align 4
  br label %done447
done447:
  %v454 = load <8 x float>, ptr %c429, align 4
  store <8 x float> %v454, ptr %v428, align 4
  %v455 = mul i64 %v74, 16
  %v456 = mul i64 1, 8
  %v457 = add i64 %v455, %v456
  %v458 = mul i64 %v457, 4
  %v459 = mul i64 0, %v60
  %v460 = getelementptr i8, ptr %v30, i64 %v459
  %v461 = getelementptr i8, ptr %v460, i64 %v458
  store <8 x float> %v421, ptr %c462, align 4
  %v463 = ptrtoint ptr %v38 to i64
  %v464 = icmp ne i64 %v463, 0
  br i1 %v464, label %then466, label %done467
then466:
  %v467 = load <8 x float>, ptr %c462, align 4
  %v468 = getelementptr i8, ptr %v38, i64 %v458
  %v469 = load <8 x float>, ptr %v468, align 4
  %v470 = fadd <8 x float> %v467, %v469
  store <8 x float> %v470, ptr %c462, align 4
  br label %done467
done467:
  %v471 = icmp eq i64 %v64, 1
  br i1 %v471, label %then473, label %done474
then473:
  %v474 = load <8 x float>, ptr %v461, align 4
  %v475 = load <8 x float>, ptr %c462, align 4
  %v476 = fadd <8 x float> %v474, %v475
  store <8 x float> %v476, ptr %c462, align 4
  br label %done474
done474:
  %v477 = icmp eq i64 %v64, 2
  br i1 %v477, label %then479, label %done480
then479:
  %v480 = load <8 x float>, ptr %v461, align 4
  %v481 = fneg <8 x float> %v480
  %v482 = call <8 x float> @exp_v8f32(<8 x float> %v481)
  %v483 = fadd <8 x float> %v482, splat (float 0x3FF0000000000000)
  %v484 = fdiv <8 x float> %v480, %v483
  %v485 = load <8 x float>, ptr %c462, align 4
  %v486 = fmul <8 x float> %v484, %v485
  store <8 x float> %v486, ptr %c462, align 4
  br label %done480
done480:
  %v487 = load <8 x float>, ptr %c462, align 4
  store <8 x float> %v487, ptr %v461, align 4
  %v488 = add i64 %v74, 1
  store i64 %v488, ptr %c70, align 8
  br label %head72
done74:
  ret void
}
