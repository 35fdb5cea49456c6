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
  %c86 = alloca i64
  %c422 = alloca <8 x float>
  %c455 = alloca <8 x float>
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
  store i64 0, ptr %c86, align 8
  br label %head88
head88:
  %v90 = load i64, ptr %c86, align 8
  %v91 = icmp slt i64 %v90, %v85
  br i1 %v91, label %body89, label %done90
body89:
  %v92 = getelementptr i8, ptr %v77, i64 %v44
  %v93 = mul i64 %v90, 512
  %v94 = getelementptr i8, ptr %v92, i64 %v93
  call void @llvm.prefetch.p0(ptr %v94, i32 0, i32 3, i32 1)
  %v95 = getelementptr i8, ptr %v77, i64 %v44
  %v96 = mul i64 %v90, 512
  %v97 = getelementptr i8, ptr %v95, i64 %v96
  %v98 = getelementptr i8, ptr %v97, i64 64
  call void @llvm.prefetch.p0(ptr %v98, i32 0, i32 3, i32 1)
  %v99 = getelementptr i8, ptr %v77, i64 %v44
  %v100 = mul i64 %v90, 512
  %v101 = getelementptr i8, ptr %v99, i64 %v100
  %v102 = getelementptr i8, ptr %v101, i64 128
  call void @llvm.prefetch.p0(ptr %v102, i32 0, i32 3, i32 1)
  %v103 = getelementptr i8, ptr %v77, i64 %v44
  %v104 = mul i64 %v90, 512
  %v105 = getelementptr i8, ptr %v103, i64 %v104
  %v106 = getelementptr i8, ptr %v105, i64 192
  call void @llvm.prefetch.p0(ptr %v106, i32 0, i32 3, i32 1)
  %v107 = getelementptr i8, ptr %v77, i64 %v44
  %v108 = mul i64 %v90, 512
  %v109 = getelementptr i8, ptr %v107, i64 %v108
  %v110 = getelementptr i8, ptr %v109, i64 256
  call void @llvm.prefetch.p0(ptr %v110, i32 0, i32 3, i32 1)
  %v111 = getelementptr i8, ptr %v77, i64 %v44
  %v112 = mul i64 %v90, 512
  %v113 = getelementptr i8, ptr %v111, i64 %v112
  %v114 = getelementptr i8, ptr %v113, i64 320
  call void @llvm.prefetch.p0(ptr %v114, i32 0, i32 3, i32 1)
  %v115 = getelementptr i8, ptr %v77, i64 %v44
  %v116 = mul i64 %v90, 512
  %v117 = getelementptr i8, ptr %v115, i64 %v116
  %v118 = getelementptr i8, ptr %v117, i64 384
  call void @llvm.prefetch.p0(ptr %v118, i32 0, i32 3, i32 1)
  %v119 = getelementptr i8, ptr %v77, i64 %v44
  %v120 = mul i64 %v90, 512
  %v121 = getelementptr i8, ptr %v119, i64 %v120
  %v122 = getelementptr i8, ptr %v121, i64 448
  call void @llvm.prefetch.p0(ptr %v122, i32 0, i32 3, i32 1)
  %v123 = getelementptr i8, ptr %v78, i64 %v44
  %v124 = mul i64 %v90, 32
  %v125 = getelementptr i8, ptr %v123, i64 %v124
  call void @llvm.prefetch.p0(ptr %v125, i32 0, i32 3, i32 1)
  %v126 = mul i64 %v90, 16
  %v127 = getelementptr i8, ptr %v84, i64 %v126
  %v128 = mul i64 %v90, 32
  %v129 = getelementptr i8, ptr %v82, i64 %v128
  %v130 = mul i64 %v90, 32
  %v131 = mul i64 0, 16
  %v132 = add i64 %v130, %v131
  %v133 = getelementptr i8, ptr %v78, i64 %v132
  %v134 = load <8 x i16>, ptr %v133, align 2
  %v135 = bitcast <8 x i16> %v134 to <8 x half>
  %v136 = fpext <8 x half> %v135 to <8 x float>
  %v137 = mul i64 0, 8
  %v138 = mul i64 %v90, 512
  %v139 = getelementptr i8, ptr %v77, i64 %v138
  %v140 = mul i64 %v137, 4
  %v141 = getelementptr i8, ptr %v139, i64 %v140
  %v142 = load <32 x i8>, ptr %v141, align 16
  %v143 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v142, i1 false)
  %v144 = load i32, ptr %v129, align 4
  %v145 = insertelement <8 x i32> poison, i32 %v144, i32 0
  %v146 = shufflevector <8 x i32> %v145, <8 x i32> poison, <8 x i32> zeroinitializer
  %v147 = bitcast <8 x i32> %v146 to <32 x i8>
  %v148 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v147, <32 x i8> %v142)
  %v149 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v143, <32 x i8> %v148)
  %v150 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v149, <16 x i16> splat (i16 1))
  %v151 = add <8 x i32> zeroinitializer, %v150
  %v152 = mul i64 %v90, 512
  %v153 = getelementptr i8, ptr %v77, i64 %v152
  %v154 = getelementptr i8, ptr %v153, i64 64
  %v155 = mul i64 %v137, 4
  %v156 = getelementptr i8, ptr %v154, i64 %v155
  %v157 = load <32 x i8>, ptr %v156, align 16
  %v158 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v157, i1 false)
  %v159 = getelementptr i8, ptr %v129, i64 4
  %v160 = load i32, ptr %v159, align 4
  %v161 = insertelement <8 x i32> poison, i32 %v160, i32 0
  %v162 = shufflevector <8 x i32> %v161, <8 x i32> poison, <8 x i32> zeroinitializer
  %v163 = bitcast <8 x i32> %v162 to <32 x i8>
  %v164 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v163, <32 x i8> %v157)
  %v165 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v158, <32 x i8> %v164)
  %v166 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v165, <16 x i16> splat (i16 1))
  %v167 = add <8 x i32> %v151, %v166
  %v168 = mul i64 %v90, 512
  %v169 = getelementptr i8, ptr %v77, i64 %v168
  %v170 = getelementptr i8, ptr %v169, i64 128
  %v171 = mul i64 %v137, 4
  %v172 = getelementptr i8, ptr %v170, i64 %v171
  %v173 = load <32 x i8>, ptr %v172, align 16
  %v174 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v173, i1 false)
  %v175 = getelementptr i8, ptr %v129, i64 8
  %v176 = load i32, ptr %v175, align 4
  %v177 = insertelement <8 x i32> poison, i32 %v176, i32 0
  %v178 = shufflevector <8 x i32> %v177, <8 x i32> poison, <8 x i32> zeroinitializer
  %v179 = bitcast <8 x i32> %v178 to <32 x i8>
  %v180 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v179, <32 x i8> %v173)
  %v181 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v174, <32 x i8> %v180)
  %v182 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v181, <16 x i16> splat (i16 1))
  %v183 = add <8 x i32> %v167, %v182
  %v184 = mul i64 %v90, 512
  %v185 = getelementptr i8, ptr %v77, i64 %v184
  %v186 = getelementptr i8, ptr %v185, i64 192
  %v187 = mul i64 %v137, 4
  %v188 = getelementptr i8, ptr %v186, i64 %v187
  %v189 = load <32 x i8>, ptr %v188, align 16
  %v190 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v189, i1 false)
  %v191 = getelementptr i8, ptr %v129, i64 12
  %v192 = load i32, ptr %v191, align 4
  %v193 = insertelement <8 x i32> poison, i32 %v192, i32 0
  %v194 = shufflevector <8 x i32> %v193, <8 x i32> poison, <8 x i32> zeroinitializer
  %v195 = bitcast <8 x i32> %v194 to <32 x i8>
  %v196 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v195, <32 x i8> %v189)
  %v197 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v190, <32 x i8> %v196)
  %v198 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v197, <16 x i16> splat (i16 1))
  %v199 = add <8 x i32> %v183, %v198
  %v200 = mul i64 %v90, 512
  %v201 = getelementptr i8, ptr %v77, i64 %v200
  %v202 = getelementptr i8, ptr %v201, i64 256
  %v203 = mul i64 %v137, 4
  %v204 = getelementptr i8, ptr %v202, i64 %v203
  %v205 = load <32 x i8>, ptr %v204, align 16
  %v206 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v205, i1 false)
  %v207 = getelementptr i8, ptr %v129, i64 16
  %v208 = load i32, ptr %v207, align 4
  %v209 = insertelement <8 x i32> poison, i32 %v208, i32 0
  %v210 = shufflevector <8 x i32> %v209, <8 x i32> poison, <8 x i32> zeroinitializer
  %v211 = bitcast <8 x i32> %v210 to <32 x i8>
  %v212 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v211, <32 x i8> %v205)
  %v213 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v206, <32 x i8> %v212)
  %v214 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v213, <16 x i16> splat (i16 1))
  %v215 = add <8 x i32> %v199, %v214
  %v216 = mul i64 %v90, 512
  %v217 = getelementptr i8, ptr %v77, i64 %v216
  %v218 = getelementptr i8, ptr %v217, i64 320
  %v219 = mul i64 %v137, 4
  %v220 = getelementptr i8, ptr %v218, i64 %v219
  %v221 = load <32 x i8>, ptr %v220, align 16
  %v222 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v221, i1 false)
  %v223 = getelementptr i8, ptr %v129, i64 20
  %v224 = load i32, ptr %v223, align 4
  %v225 = insertelement <8 x i32> poison, i32 %v224, i32 0
  %v226 = shufflevector <8 x i32> %v225, <8 x i32> poison, <8 x i32> zeroinitializer
  %v227 = bitcast <8 x i32> %v226 to <32 x i8>
  %v228 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v227, <32 x i8> %v221)
  %v229 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v222, <32 x i8> %v228)
  %v230 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v229, <16 x i16> splat (i16 1))
  %v231 = add <8 x i32> %v215, %v230
  %v232 = mul i64 %v90, 512
  %v233 = getelementptr i8, ptr %v77, i64 %v232
  %v234 = getelementptr i8, ptr %v233, i64 384
  %v235 = mul i64 %v137, 4
  %v236 = getelementptr i8, ptr %v234, i64 %v235
  %v237 = load <32 x i8>, ptr %v236, align 16
  %v238 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v237, i1 false)
  %v239 = getelementptr i8, ptr %v129, i64 24
  %v240 = load i32, ptr %v239, align 4
  %v241 = insertelement <8 x i32> poison, i32 %v240, i32 0
  %v242 = shufflevector <8 x i32> %v241, <8 x i32> poison, <8 x i32> zeroinitializer
  %v243 = bitcast <8 x i32> %v242 to <32 x i8>
  %v244 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v243, <32 x i8> %v237)
  %v245 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v238, <32 x i8> %v244)
  %v246 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v245, <16 x i16> splat (i16 1))
  %v247 = add <8 x i32> %v231, %v246
  %v248 = mul i64 %v90, 512
  %v249 = getelementptr i8, ptr %v77, i64 %v248
  %v250 = getelementptr i8, ptr %v249, i64 448
  %v251 = mul i64 %v137, 4
  %v252 = getelementptr i8, ptr %v250, i64 %v251
  %v253 = load <32 x i8>, ptr %v252, align 16
  %v254 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v253, i1 false)
  %v255 = getelementptr i8, ptr %v129, i64 28
  %v256 = load i32, ptr %v255, align 4
  %v257 = insertelement <8 x i32> poison, i32 %v256, i32 0
  %v258 = shufflevector <8 x i32> %v257, <8 x i32> poison, <8 x i32> zeroinitializer
  %v259 = bitcast <8 x i32> %v258 to <32 x i8>
  %v260 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v259, <32 x i8> %v253)
  %v261 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v254, <32 x i8> %v260)
  %v262 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v261, <16 x i16> splat (i16 1))
  %v263 = add <8 x i32> %v247, %v262
  %v264 = sitofp <8 x i32> %v263 to <8 x float>
  %v265 = load float, ptr %v127, align 4
  %v266 = insertelement <8 x float> poison, float %v265, i32 0
  %v267 = shufflevector <8 x float> %v266, <8 x float> poison, <8 x i32> zeroinitializer
  %v268 = fmul <8 x float> %v136, %v267
  %v269 = load <8 x float>, ptr %c79, align 4
  %v270 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v264, <8 x float> %v268, <8 x float> %v269)
  store <8 x float> %v270, ptr %c79, align 4
  %v271 = mul i64 %v90, 32
  %v272 = mul i64 1, 16
  %v273 = add i64 %v271, %v272
  %v274 = getelementptr i8, ptr %v78, i64 %v273
  %v275 = load <8 x i16>, ptr %v274, align 2
  %v276 = bitcast <8 x i16> %v275 to <8 x half>
  %v277 = fpext <8 x half> %v276 to <8 x float>
  %v278 = mul i64 1, 8
  %v279 = mul i64 %v90, 512
  %v280 = getelementptr i8, ptr %v77, i64 %v279
  %v281 = mul i64 %v278, 4
  %v282 = getelementptr i8, ptr %v280, i64 %v281
  %v283 = load <32 x i8>, ptr %v282, align 16
  %v284 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v283, i1 false)
  %v285 = load i32, ptr %v129, align 4
  %v286 = insertelement <8 x i32> poison, i32 %v285, i32 0
  %v287 = shufflevector <8 x i32> %v286, <8 x i32> poison, <8 x i32> zeroinitializer
  %v288 = bitcast <8 x i32> %v287 to <32 x i8>
  %v289 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v288, <32 x i8> %v283)
  %v290 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v284, <32 x i8> %v289)
  %v291 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v290, <16 x i16> splat (i16 1))
  %v292 = add <8 x i32> zeroinitializer, %v291
  %v293 = mul i64 %v90, 512
  %v294 = getelementptr i8, ptr %v77, i64 %v293
  %v295 = getelementptr i8, ptr %v294, i64 64
  %v296 = mul i64 %v278, 4
  %v297 = getelementptr i8, ptr %v295, i64 %v296
  %v298 = load <32 x i8>, ptr %v297, align 16
  %v299 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v298, i1 false)
  %v300 = getelementptr i8, ptr %v129, i64 4
  %v301 = load i32, ptr %v300, align 4
  %v302 = insertelement <8 x i32> poison, i32 %v301, i32 0
  %v303 = shufflevector <8 x i32> %v302, <8 x i32> poison, <8 x i32> zeroinitializer
  %v304 = bitcast <8 x i32> %v303 to <32 x i8>
  %v305 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v304, <32 x i8> %v298)
  %v306 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v299, <32 x i8> %v305)
  %v307 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v306, <16 x i16> splat (i16 1))
  %v308 = add <8 x i32> %v292, %v307
  %v309 = mul i64 %v90, 512
  %v310 = getelementptr i8, ptr %v77, i64 %v309
  %v311 = getelementptr i8, ptr %v310, i64 128
  %v312 = mul i64 %v278, 4
  %v313 = getelementptr i8, ptr %v311, i64 %v312
  %v314 = load <32 x i8>, ptr %v313, align 16
  %v315 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v314, i1 false)
  %v316 = getelementptr i8, ptr %v129, i64 8
  %v317 = load i32, ptr %v316, align 4
  %v318 = insertelement <8 x i32> poison, i32 %v317, i32 0
  %v319 = shufflevector <8 x i32> %v318, <8 x i32> poison, <8 x i32> zeroinitializer
  %v320 = bitcast <8 x i32> %v319 to <32 x i8>
  %v321 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v320, <32 x i8> %v314)
  %v322 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v315, <32 x i8> %v321)
  %v323 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v322, <16 x i16> splat (i16 1))
  %v324 = add <8 x i32> %v308, %v323
  %v325 = mul i64 %v90, 512
  %v326 = getelementptr i8, ptr %v77, i64 %v325
  %v327 = getelementptr i8, ptr %v326, i64 192
  %v328 = mul i64 %v278, 4
  %v329 = getelementptr i8, ptr %v327, i64 %v328
  %v330 = load <32 x i8>, ptr %v329, align 16
  %v331 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v330, i1 false)
  %v332 = getelementptr i8, ptr %v129, i64 12
  %v333 = load i32, ptr %v332, align 4
  %v334 = insertelement <8 x i32> poison, i32 %v333, i32 0
  %v335 = shufflevector <8 x i32> %v334, <8 x i32> poison, <8 x i32> zeroinitializer
  %v336 = bitcast <8 x i32> %v335 to <32 x i8>
  %v337 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v336, <32 x i8> %v330)
  %v338 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v331, <32 x i8> %v337)
  %v339 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v338, <16 x i16> splat (i16 1))
  %v340 = add <8 x i32> %v324, %v339
  %v341 = mul i64 %v90, 512
  %v342 = getelementptr i8, ptr %v77, i64 %v341
  %v343 = getelementptr i8, ptr %v342, i64 256
  %v344 = mul i64 %v278, 4
  %v345 = getelementptr i8, ptr %v343, i64 %v344
  %v346 = load <32 x i8>, ptr %v345, align 16
  %v347 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v346, i1 false)
  %v348 = getelementptr i8, ptr %v129, i64 16
  %v349 = load i32, ptr %v348, align 4
  %v350 = insertelement <8 x i32> poison, i32 %v349, i32 0
  %v351 = shufflevector <8 x i32> %v350, <8 x i32> poison, <8 x i32> zeroinitializer
  %v352 = bitcast <8 x i32> %v351 to <32 x i8>
  %v353 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v352, <32 x i8> %v346)
  %v354 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v347, <32 x i8> %v353)
  %v355 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v354, <16 x i16> splat (i16 1))
  %v356 = add <8 x i32> %v340, %v355
  %v357 = mul i64 %v90, 512
  %v358 = getelementptr i8, ptr %v77, i64 %v357
  %v359 = getelementptr i8, ptr %v358, i64 320
  %v360 = mul i64 %v278, 4
  %v361 = getelementptr i8, ptr %v359, i64 %v360
  %v362 = load <32 x i8>, ptr %v361, align 16
  %v363 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v362, i1 false)
  %v364 = getelementptr i8, ptr %v129, i64 20
  %v365 = load i32, ptr %v364, align 4
  %v366 = insertelement <8 x i32> poison, i32 %v365, i32 0
  %v367 = shufflevector <8 x i32> %v366, <8 x i32> poison, <8 x i32> zeroinitializer
  %v368 = bitcast <8 x i32> %v367 to <32 x i8>
  %v369 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v368, <32 x i8> %v362)
  %v370 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v363, <32 x i8> %v369)
  %v371 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v370, <16 x i16> splat (i16 1))
  %v372 = add <8 x i32> %v356, %v371
  %v373 = mul i64 %v90, 512
  %v374 = getelementptr i8, ptr %v77, i64 %v373
  %v375 = getelementptr i8, ptr %v374, i64 384
  %v376 = mul i64 %v278, 4
  %v377 = getelementptr i8, ptr %v375, i64 %v376
  %v378 = load <32 x i8>, ptr %v377, align 16
  %v379 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v378, i1 false)
  %v380 = getelementptr i8, ptr %v129, i64 24
  %v381 = load i32, ptr %v380, align 4
  %v382 = insertelement <8 x i32> poison, i32 %v381, i32 0
  %v383 = shufflevector <8 x i32> %v382, <8 x i32> poison, <8 x i32> zeroinitializer
  %v384 = bitcast <8 x i32> %v383 to <32 x i8>
  %v385 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v384, <32 x i8> %v378)
  %v386 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v379, <32 x i8> %v385)
  %v387 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v386, <16 x i16> splat (i16 1))
  %v388 = add <8 x i32> %v372, %v387
  %v389 = mul i64 %v90, 512
  %v390 = getelementptr i8, ptr %v77, i64 %v389
  %v391 = getelementptr i8, ptr %v390, i64 448
  %v392 = mul i64 %v278, 4
  %v393 = getelementptr i8, ptr %v391, i64 %v392
  %v394 = load <32 x i8>, ptr %v393, align 16
  %v395 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v394, i1 false)
  %v396 = getelementptr i8, ptr %v129, i64 28
  %v397 = load i32, ptr %v396, align 4
  %v398 = insertelement <8 x i32> poison, i32 %v397, i32 0
  %v399 = shufflevector <8 x i32> %v398, <8 x i32> poison, <8 x i32> zeroinitializer
  %v400 = bitcast <8 x i32> %v399 to <32 x i8>
  %v401 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v400, <32 x i8> %v394)
  %v402 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v395, <32 x i8> %v401)
  %v403 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v402, <16 x i16> splat (i16 1))
  %v404 = add <8 x i32> %v388, %v403
  %v405 = sitofp <8 x i32> %v404 to <8 x float>
  %v406 = load float, ptr %v127, align 4
  %v407 = insertelement <8 x float> poison, float %v406, i32 0
  %v408 = shufflevector <8 x float> %v407, <8 x float> poison, <8 x i32> zeroinitializer
  %v409 = fmul <8 x float> %v277, %v408
  %v410 = load <8 x float>, ptr %c80, align 4
  %v411 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v405, <8 x float> %v409, <8 x float> %v410)
  store <8 x float> %v411, ptr %c80, align 4
  %v412 = add i64 %v90, 1
  store i64 %v412, ptr %c86, align 8
  br label %head88
done90:
  %v413 = load <8 x float>, ptr %c79, align 4
  %v414 = load <8 x float>, ptr %c80, align 4
  %v415 = mul i64 %v74, 16
  %v416 = mul i64 0, 8
  %v417 = add i64 %v415, %v416
  %v418 = mul i64 %v417, 4
  %v419 = mul i64 0, %v60
  %v420 = getelementptr i8, ptr %v30, i64 %v419
  %v421 = getelementptr i8, ptr %v420, i64 %v418
  store <8 x float> %v413, ptr %c422, align 4
  %v423 = ptrtoint ptr %v38 to i64
  %v424 = icmp ne i64 %v423, 0
  br i1 %v424, label %then426, label %done427
then426:
  %v427 = load <8 x float>, ptr %c422, align 4
  %v428 = getelementptr i8, ptr %v38, i64 %v418
  %v429 = load <8 x float>, ptr %v428, align 4
  %v430 = fadd <8 x float> %v427, %v429
  store <8 x float> %v430, ptr %c422, align 4
  br label %done427
done427:
  %v431 = icmp eq i64 %v64, 1
  br i1 %v431, label %then433, label %done434
then433:
  %v434 = load <8 x float>, ptr %v421, align 4
  %v435 = load <8 x float>, ptr %c422, align 4
  %v436 = fadd <8 x float> %v434, %v435
  store <8 x float> %v436, ptr %c422, align 4
  br label %done434
done434:
  %v437 = icmp eq i64 %v64, 2
  br i1 %v437, label %then439, label %done440
then439:
  %v440 = load <8 x float>, ptr %v421, align 4
  %v441 = fneg <8 x float> %v440
  %v442 = call <8 x float> @exp_v8f32(<8 x float> %v441)
  %v443 = fadd <8 x float> %v442, splat (float 0x3FF0000000000000)
  %v444 = fdiv <8 x float> %v440, %v443
  %v445 = load <8 x float>, ptr %c422, align 4
  %v446 = fmul <8 x float> %v444, %v445
  store <8 x float> %v446, ptr %c422, align 4
  br label %done440
done440:
  %v447 = load <8 x float>, ptr %c422, align 4
  store <8 x float> %v447, ptr %v421, align 4
  %v448 = mul i64 %v74, 16
  %v449 = mul i64 1, 8
  %v450 = add i64 %v448, %v449
  %v451 = mul i64 %v450, 4
  %v452 = mul i64 0, %v60
  %v453 = getelementptr i8, ptr %v30, i64 %v452
  %v454 = getelementptr i8, ptr %v453, i64 %v451
  store <8 x float> %v414, ptr %c455, align 4
  %v456 = ptrtoint ptr %v38 to i64
  %v457 = icmp ne i64 %v456, 0
  br i1 %v457, label %then459, label %done460
then459:
  %v460 = load <8 x float>, ptr %c455, align 4
  %v461 = getelementptr i8, ptr %v38, i64 %v451
  %v462 = load <8 x float>, ptr %v461, align 4
  %v463 = fadd <8 x float> %v460, %v462
  store <8 x float> %v463, ptr %c455, align 4
  br label %done460
done460:
  %v464 = icmp eq i64 %v64, 1
  br i1 %v464, label %then466, label %done467
then466:
  %v467 = load <8 x float>, ptr %v454, align 4
  %v468 = load <8 x float>, ptr %c455, align 4
  %v469 = fadd <8 x float> %v467, %v468
  store <8 x float> %v469, ptr %c455, align 4
  br label %done467
done467:
  %v470 = icmp eq i64 %v64, 2
  br i1 %v470, label %then472, label %done473
then472:
  %v473 = load <8 x float>, ptr %v454, align 4
  %v474 = fneg <8 x float> %v473
  %v475 = call <8 x float> @exp_v8f32(<8 x float> %v474)
  %v476 = fadd <8 x float> %v475, splat (float 0x3FF0000000000000)
  %v477 = fdiv <8 x float> %v473, %v476
  %v478 = load <8 x float>, ptr %c455, align 4
  %v479 = fmul <8 x float> %v477, %v478
  store <8 x float> %v479, ptr %c455, align 4
  br label %done473
done473:
  %v480 = load <8 x float>, ptr %c455, align 4
  store <8 x float> %v480, ptr %v454, align 4
  %v481 = add i64 %v74, 1
  store i64 %v481, ptr %c70, align 8
  br label %head72
done74:
  ret void
}
