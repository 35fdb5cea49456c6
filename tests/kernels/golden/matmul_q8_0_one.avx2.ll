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
  %c407 = alloca <8 x float>
  %c440 = alloca <8 x float>
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
  %v93 = mul i64 %v90, 4
  %v94 = mul i64 %v93, 64
  %v95 = getelementptr i8, ptr %v92, i64 %v94
  call void @llvm.prefetch.p0(ptr %v95, i32 0, i32 3, i32 1)
  %v96 = mul i64 %v90, 4
  %v97 = add i64 %v96, 1
  %v98 = mul i64 %v97, 64
  %v99 = getelementptr i8, ptr %v92, i64 %v98
  call void @llvm.prefetch.p0(ptr %v99, i32 0, i32 3, i32 1)
  %v100 = mul i64 %v90, 4
  %v101 = add i64 %v100, 2
  %v102 = mul i64 %v101, 64
  %v103 = getelementptr i8, ptr %v92, i64 %v102
  call void @llvm.prefetch.p0(ptr %v103, i32 0, i32 3, i32 1)
  %v104 = mul i64 %v90, 4
  %v105 = add i64 %v104, 3
  %v106 = mul i64 %v105, 64
  %v107 = getelementptr i8, ptr %v92, i64 %v106
  call void @llvm.prefetch.p0(ptr %v107, i32 0, i32 3, i32 1)
  %v108 = getelementptr i8, ptr %v78, i64 %v44
  %v109 = mul i64 %v90, 32
  %v110 = getelementptr i8, ptr %v108, i64 %v109
  call void @llvm.prefetch.p0(ptr %v110, i32 0, i32 3, i32 1)
  %v111 = mul i64 %v90, 16
  %v112 = getelementptr i8, ptr %v84, i64 %v111
  %v113 = mul i64 %v90, 32
  %v114 = getelementptr i8, ptr %v82, i64 %v113
  %v115 = mul i64 %v90, 32
  %v116 = mul i64 0, 16
  %v117 = add i64 %v115, %v116
  %v118 = getelementptr i8, ptr %v78, i64 %v117
  %v119 = load <8 x i16>, ptr %v118, align 2
  %v120 = bitcast <8 x i16> %v119 to <8 x half>
  %v121 = fpext <8 x half> %v120 to <8 x float>
  %v122 = mul i64 0, 8
  %v123 = mul i64 %v90, 512
  %v124 = getelementptr i8, ptr %v77, i64 %v123
  %v125 = mul i64 %v122, 4
  %v126 = getelementptr i8, ptr %v124, i64 %v125
  %v127 = load <32 x i8>, ptr %v126, align 16
  %v128 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v127, i1 false)
  %v129 = load i32, ptr %v114, align 4
  %v130 = insertelement <8 x i32> poison, i32 %v129, i32 0
  %v131 = shufflevector <8 x i32> %v130, <8 x i32> poison, <8 x i32> zeroinitializer
  %v132 = bitcast <8 x i32> %v131 to <32 x i8>
  %v133 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v132, <32 x i8> %v127)
  %v134 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v128, <32 x i8> %v133)
  %v135 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v134, <16 x i16> splat (i16 1))
  %v136 = add <8 x i32> zeroinitializer, %v135
  %v137 = mul i64 %v90, 512
  %v138 = getelementptr i8, ptr %v77, i64 %v137
  %v139 = getelementptr i8, ptr %v138, i64 64
  %v140 = mul i64 %v122, 4
  %v141 = getelementptr i8, ptr %v139, i64 %v140
  %v142 = load <32 x i8>, ptr %v141, align 16
  %v143 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v142, i1 false)
  %v144 = getelementptr i8, ptr %v114, i64 4
  %v145 = load i32, ptr %v144, align 4
  %v146 = insertelement <8 x i32> poison, i32 %v145, i32 0
  %v147 = shufflevector <8 x i32> %v146, <8 x i32> poison, <8 x i32> zeroinitializer
  %v148 = bitcast <8 x i32> %v147 to <32 x i8>
  %v149 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v148, <32 x i8> %v142)
  %v150 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v143, <32 x i8> %v149)
  %v151 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v150, <16 x i16> splat (i16 1))
  %v152 = add <8 x i32> %v136, %v151
  %v153 = mul i64 %v90, 512
  %v154 = getelementptr i8, ptr %v77, i64 %v153
  %v155 = getelementptr i8, ptr %v154, i64 128
  %v156 = mul i64 %v122, 4
  %v157 = getelementptr i8, ptr %v155, i64 %v156
  %v158 = load <32 x i8>, ptr %v157, align 16
  %v159 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v158, i1 false)
  %v160 = getelementptr i8, ptr %v114, i64 8
  %v161 = load i32, ptr %v160, align 4
  %v162 = insertelement <8 x i32> poison, i32 %v161, i32 0
  %v163 = shufflevector <8 x i32> %v162, <8 x i32> poison, <8 x i32> zeroinitializer
  %v164 = bitcast <8 x i32> %v163 to <32 x i8>
  %v165 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v164, <32 x i8> %v158)
  %v166 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v159, <32 x i8> %v165)
  %v167 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v166, <16 x i16> splat (i16 1))
  %v168 = add <8 x i32> %v152, %v167
  %v169 = mul i64 %v90, 512
  %v170 = getelementptr i8, ptr %v77, i64 %v169
  %v171 = getelementptr i8, ptr %v170, i64 192
  %v172 = mul i64 %v122, 4
  %v173 = getelementptr i8, ptr %v171, i64 %v172
  %v174 = load <32 x i8>, ptr %v173, align 16
  %v175 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v174, i1 false)
  %v176 = getelementptr i8, ptr %v114, i64 12
  %v177 = load i32, ptr %v176, align 4
  %v178 = insertelement <8 x i32> poison, i32 %v177, i32 0
  %v179 = shufflevector <8 x i32> %v178, <8 x i32> poison, <8 x i32> zeroinitializer
  %v180 = bitcast <8 x i32> %v179 to <32 x i8>
  %v181 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v180, <32 x i8> %v174)
  %v182 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v175, <32 x i8> %v181)
  %v183 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v182, <16 x i16> splat (i16 1))
  %v184 = add <8 x i32> %v168, %v183
  %v185 = mul i64 %v90, 512
  %v186 = getelementptr i8, ptr %v77, i64 %v185
  %v187 = getelementptr i8, ptr %v186, i64 256
  %v188 = mul i64 %v122, 4
  %v189 = getelementptr i8, ptr %v187, i64 %v188
  %v190 = load <32 x i8>, ptr %v189, align 16
  %v191 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v190, i1 false)
  %v192 = getelementptr i8, ptr %v114, i64 16
  %v193 = load i32, ptr %v192, align 4
  %v194 = insertelement <8 x i32> poison, i32 %v193, i32 0
  %v195 = shufflevector <8 x i32> %v194, <8 x i32> poison, <8 x i32> zeroinitializer
  %v196 = bitcast <8 x i32> %v195 to <32 x i8>
  %v197 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v196, <32 x i8> %v190)
  %v198 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v191, <32 x i8> %v197)
  %v199 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v198, <16 x i16> splat (i16 1))
  %v200 = add <8 x i32> %v184, %v199
  %v201 = mul i64 %v90, 512
  %v202 = getelementptr i8, ptr %v77, i64 %v201
  %v203 = getelementptr i8, ptr %v202, i64 320
  %v204 = mul i64 %v122, 4
  %v205 = getelementptr i8, ptr %v203, i64 %v204
  %v206 = load <32 x i8>, ptr %v205, align 16
  %v207 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v206, i1 false)
  %v208 = getelementptr i8, ptr %v114, i64 20
  %v209 = load i32, ptr %v208, align 4
  %v210 = insertelement <8 x i32> poison, i32 %v209, i32 0
  %v211 = shufflevector <8 x i32> %v210, <8 x i32> poison, <8 x i32> zeroinitializer
  %v212 = bitcast <8 x i32> %v211 to <32 x i8>
  %v213 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v212, <32 x i8> %v206)
  %v214 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v207, <32 x i8> %v213)
  %v215 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v214, <16 x i16> splat (i16 1))
  %v216 = add <8 x i32> %v200, %v215
  %v217 = mul i64 %v90, 512
  %v218 = getelementptr i8, ptr %v77, i64 %v217
  %v219 = getelementptr i8, ptr %v218, i64 384
  %v220 = mul i64 %v122, 4
  %v221 = getelementptr i8, ptr %v219, i64 %v220
  %v222 = load <32 x i8>, ptr %v221, align 16
  %v223 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v222, i1 false)
  %v224 = getelementptr i8, ptr %v114, i64 24
  %v225 = load i32, ptr %v224, align 4
  %v226 = insertelement <8 x i32> poison, i32 %v225, i32 0
  %v227 = shufflevector <8 x i32> %v226, <8 x i32> poison, <8 x i32> zeroinitializer
  %v228 = bitcast <8 x i32> %v227 to <32 x i8>
  %v229 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v228, <32 x i8> %v222)
  %v230 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v223, <32 x i8> %v229)
  %v231 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v230, <16 x i16> splat (i16 1))
  %v232 = add <8 x i32> %v216, %v231
  %v233 = mul i64 %v90, 512
  %v234 = getelementptr i8, ptr %v77, i64 %v233
  %v235 = getelementptr i8, ptr %v234, i64 448
  %v236 = mul i64 %v122, 4
  %v237 = getelementptr i8, ptr %v235, i64 %v236
  %v238 = load <32 x i8>, ptr %v237, align 16
  %v239 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v238, i1 false)
  %v240 = getelementptr i8, ptr %v114, i64 28
  %v241 = load i32, ptr %v240, align 4
  %v242 = insertelement <8 x i32> poison, i32 %v241, i32 0
  %v243 = shufflevector <8 x i32> %v242, <8 x i32> poison, <8 x i32> zeroinitializer
  %v244 = bitcast <8 x i32> %v243 to <32 x i8>
  %v245 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v244, <32 x i8> %v238)
  %v246 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v239, <32 x i8> %v245)
  %v247 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v246, <16 x i16> splat (i16 1))
  %v248 = add <8 x i32> %v232, %v247
  %v249 = sitofp <8 x i32> %v248 to <8 x float>
  %v250 = load float, ptr %v112, align 4
  %v251 = insertelement <8 x float> poison, float %v250, i32 0
  %v252 = shufflevector <8 x float> %v251, <8 x float> poison, <8 x i32> zeroinitializer
  %v253 = fmul <8 x float> %v121, %v252
  %v254 = load <8 x float>, ptr %c79, align 4
  %v255 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v249, <8 x float> %v253, <8 x float> %v254)
  store <8 x float> %v255, ptr %c79, align 4
  %v256 = mul i64 %v90, 32
  %v257 = mul i64 1, 16
  %v258 = add i64 %v256, %v257
  %v259 = getelementptr i8, ptr %v78, i64 %v258
  %v260 = load <8 x i16>, ptr %v259, align 2
  %v261 = bitcast <8 x i16> %v260 to <8 x half>
  %v262 = fpext <8 x half> %v261 to <8 x float>
  %v263 = mul i64 1, 8
  %v264 = mul i64 %v90, 512
  %v265 = getelementptr i8, ptr %v77, i64 %v264
  %v266 = mul i64 %v263, 4
  %v267 = getelementptr i8, ptr %v265, i64 %v266
  %v268 = load <32 x i8>, ptr %v267, align 16
  %v269 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v268, i1 false)
  %v270 = load i32, ptr %v114, align 4
  %v271 = insertelement <8 x i32> poison, i32 %v270, i32 0
  %v272 = shufflevector <8 x i32> %v271, <8 x i32> poison, <8 x i32> zeroinitializer
  %v273 = bitcast <8 x i32> %v272 to <32 x i8>
  %v274 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v273, <32 x i8> %v268)
  %v275 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v269, <32 x i8> %v274)
  %v276 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v275, <16 x i16> splat (i16 1))
  %v277 = add <8 x i32> zeroinitializer, %v276
  %v278 = mul i64 %v90, 512
  %v279 = getelementptr i8, ptr %v77, i64 %v278
  %v280 = getelementptr i8, ptr %v279, i64 64
  %v281 = mul i64 %v263, 4
  %v282 = getelementptr i8, ptr %v280, i64 %v281
  %v283 = load <32 x i8>, ptr %v282, align 16
  %v284 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v283, i1 false)
  %v285 = getelementptr i8, ptr %v114, i64 4
  %v286 = load i32, ptr %v285, align 4
  %v287 = insertelement <8 x i32> poison, i32 %v286, i32 0
  %v288 = shufflevector <8 x i32> %v287, <8 x i32> poison, <8 x i32> zeroinitializer
  %v289 = bitcast <8 x i32> %v288 to <32 x i8>
  %v290 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v289, <32 x i8> %v283)
  %v291 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v284, <32 x i8> %v290)
  %v292 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v291, <16 x i16> splat (i16 1))
  %v293 = add <8 x i32> %v277, %v292
  %v294 = mul i64 %v90, 512
  %v295 = getelementptr i8, ptr %v77, i64 %v294
  %v296 = getelementptr i8, ptr %v295, i64 128
  %v297 = mul i64 %v263, 4
  %v298 = getelementptr i8, ptr %v296, i64 %v297
  %v299 = load <32 x i8>, ptr %v298, align 16
  %v300 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v299, i1 false)
  %v301 = getelementptr i8, ptr %v114, i64 8
  %v302 = load i32, ptr %v301, align 4
  %v303 = insertelement <8 x i32> poison, i32 %v302, i32 0
  %v304 = shufflevector <8 x i32> %v303, <8 x i32> poison, <8 x i32> zeroinitializer
  %v305 = bitcast <8 x i32> %v304 to <32 x i8>
  %v306 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v305, <32 x i8> %v299)
  %v307 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v300, <32 x i8> %v306)
  %v308 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v307, <16 x i16> splat (i16 1))
  %v309 = add <8 x i32> %v293, %v308
  %v310 = mul i64 %v90, 512
  %v311 = getelementptr i8, ptr %v77, i64 %v310
  %v312 = getelementptr i8, ptr %v311, i64 192
  %v313 = mul i64 %v263, 4
  %v314 = getelementptr i8, ptr %v312, i64 %v313
  %v315 = load <32 x i8>, ptr %v314, align 16
  %v316 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v315, i1 false)
  %v317 = getelementptr i8, ptr %v114, i64 12
  %v318 = load i32, ptr %v317, align 4
  %v319 = insertelement <8 x i32> poison, i32 %v318, i32 0
  %v320 = shufflevector <8 x i32> %v319, <8 x i32> poison, <8 x i32> zeroinitializer
  %v321 = bitcast <8 x i32> %v320 to <32 x i8>
  %v322 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v321, <32 x i8> %v315)
  %v323 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v316, <32 x i8> %v322)
  %v324 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v323, <16 x i16> splat (i16 1))
  %v325 = add <8 x i32> %v309, %v324
  %v326 = mul i64 %v90, 512
  %v327 = getelementptr i8, ptr %v77, i64 %v326
  %v328 = getelementptr i8, ptr %v327, i64 256
  %v329 = mul i64 %v263, 4
  %v330 = getelementptr i8, ptr %v328, i64 %v329
  %v331 = load <32 x i8>, ptr %v330, align 16
  %v332 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v331, i1 false)
  %v333 = getelementptr i8, ptr %v114, i64 16
  %v334 = load i32, ptr %v333, align 4
  %v335 = insertelement <8 x i32> poison, i32 %v334, i32 0
  %v336 = shufflevector <8 x i32> %v335, <8 x i32> poison, <8 x i32> zeroinitializer
  %v337 = bitcast <8 x i32> %v336 to <32 x i8>
  %v338 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v337, <32 x i8> %v331)
  %v339 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v332, <32 x i8> %v338)
  %v340 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v339, <16 x i16> splat (i16 1))
  %v341 = add <8 x i32> %v325, %v340
  %v342 = mul i64 %v90, 512
  %v343 = getelementptr i8, ptr %v77, i64 %v342
  %v344 = getelementptr i8, ptr %v343, i64 320
  %v345 = mul i64 %v263, 4
  %v346 = getelementptr i8, ptr %v344, i64 %v345
  %v347 = load <32 x i8>, ptr %v346, align 16
  %v348 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v347, i1 false)
  %v349 = getelementptr i8, ptr %v114, i64 20
  %v350 = load i32, ptr %v349, align 4
  %v351 = insertelement <8 x i32> poison, i32 %v350, i32 0
  %v352 = shufflevector <8 x i32> %v351, <8 x i32> poison, <8 x i32> zeroinitializer
  %v353 = bitcast <8 x i32> %v352 to <32 x i8>
  %v354 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v353, <32 x i8> %v347)
  %v355 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v348, <32 x i8> %v354)
  %v356 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v355, <16 x i16> splat (i16 1))
  %v357 = add <8 x i32> %v341, %v356
  %v358 = mul i64 %v90, 512
  %v359 = getelementptr i8, ptr %v77, i64 %v358
  %v360 = getelementptr i8, ptr %v359, i64 384
  %v361 = mul i64 %v263, 4
  %v362 = getelementptr i8, ptr %v360, i64 %v361
  %v363 = load <32 x i8>, ptr %v362, align 16
  %v364 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v363, i1 false)
  %v365 = getelementptr i8, ptr %v114, i64 24
  %v366 = load i32, ptr %v365, align 4
  %v367 = insertelement <8 x i32> poison, i32 %v366, i32 0
  %v368 = shufflevector <8 x i32> %v367, <8 x i32> poison, <8 x i32> zeroinitializer
  %v369 = bitcast <8 x i32> %v368 to <32 x i8>
  %v370 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v369, <32 x i8> %v363)
  %v371 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v364, <32 x i8> %v370)
  %v372 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v371, <16 x i16> splat (i16 1))
  %v373 = add <8 x i32> %v357, %v372
  %v374 = mul i64 %v90, 512
  %v375 = getelementptr i8, ptr %v77, i64 %v374
  %v376 = getelementptr i8, ptr %v375, i64 448
  %v377 = mul i64 %v263, 4
  %v378 = getelementptr i8, ptr %v376, i64 %v377
  %v379 = load <32 x i8>, ptr %v378, align 16
  %v380 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v379, i1 false)
  %v381 = getelementptr i8, ptr %v114, i64 28
  %v382 = load i32, ptr %v381, align 4
  %v383 = insertelement <8 x i32> poison, i32 %v382, i32 0
  %v384 = shufflevector <8 x i32> %v383, <8 x i32> poison, <8 x i32> zeroinitializer
  %v385 = bitcast <8 x i32> %v384 to <32 x i8>
  %v386 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v385, <32 x i8> %v379)
  %v387 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v380, <32 x i8> %v386)
  %v388 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v387, <16 x i16> splat (i16 1))
  %v389 = add <8 x i32> %v373, %v388
  %v390 = sitofp <8 x i32> %v389 to <8 x float>
  %v391 = load float, ptr %v112, align 4
  %v392 = insertelement <8 x float> poison, float %v391, i32 0
  %v393 = shufflevector <8 x float> %v392, <8 x float> poison, <8 x i32> zeroinitializer
  %v394 = fmul <8 x float> %v262, %v393
  %v395 = load <8 x float>, ptr %c80, align 4
  %v396 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v390, <8 x float> %v394, <8 x float> %v395)
  store <8 x float> %v396, ptr %c80, align 4
  %v397 = add i64 %v90, 1
  store i64 %v397, ptr %c86, align 8
  br label %head88
done90:
  %v398 = load <8 x float>, ptr %c79, align 4
  %v399 = load <8 x float>, ptr %c80, align 4
  %v400 = mul i64 %v74, 16
  %v401 = mul i64 0, 8
  %v402 = add i64 %v400, %v401
  %v403 = mul i64 %v402, 4
  %v404 = mul i64 0, %v60
  %v405 = getelementptr i8, ptr %v30, i64 %v404
  %v406 = getelementptr i8, ptr %v405, i64 %v403
  store <8 x float> %v398, ptr %c407, align 4
  %v408 = ptrtoint ptr %v38 to i64
  %v409 = icmp ne i64 %v408, 0
  br i1 %v409, label %then411, label %done412
then411:
  %v412 = load <8 x float>, ptr %c407, align 4
  %v413 = getelementptr i8, ptr %v38, i64 %v403
  %v414 = load <8 x float>, ptr %v413, align 4
  %v415 = fadd <8 x float> %v412, %v414
  store <8 x float> %v415, ptr %c407, align 4
  br label %done412
done412:
  %v416 = icmp eq i64 %v64, 1
  br i1 %v416, label %then418, label %done419
then418:
  %v419 = load <8 x float>, ptr %v406, align 4
  %v420 = load <8 x float>, ptr %c407, align 4
  %v421 = fadd <8 x float> %v419, %v420
  store <8 x float> %v421, ptr %c407, align 4
  br label %done419
done419:
  %v422 = icmp eq i64 %v64, 2
  br i1 %v422, label %then424, label %done425
then424:
  %v425 = load <8 x float>, ptr %v406, align 4
  %v426 = fneg <8 x float> %v425
  %v427 = call <8 x float> @exp_v8f32(<8 x float> %v426)
  %v428 = fadd <8 x float> %v427, splat (float 0x3FF0000000000000)
  %v429 = fdiv <8 x float> %v425, %v428
  %v430 = load <8 x float>, ptr %c407, align 4
  %v431 = fmul <8 x float> %v429, %v430
  store <8 x float> %v431, ptr %c407, align 4
  br label %done425
done425:
  %v432 = load <8 x float>, ptr %c407, align 4
  store <8 x float> %v432, ptr %v406, align 4
  %v433 = mul i64 %v74, 16
  %v434 = mul i64 1, 8
  %v435 = add i64 %v433, %v434
  %v436 = mul i64 %v435, 4
  %v437 = mul i64 0, %v60
  %v438 = getelementptr i8, ptr %v30, i64 %v437
  %v439 = getelementptr i8, ptr %v438, i64 %v436
  store <8 x float> %v399, ptr %c440, align 4
  %v441 = ptrtoint ptr %v38 to i64
  %v442 = icmp ne i64 %v441, 0
  br i1 %v442, label %then444, label %done445
then444:
  %v445 = load <8 x float>, ptr %c440, align 4
  %v446 = getelementptr i8, ptr %v38, i64 %v436
  %v447 = load <8 x float>, ptr %v446, align 4
  %v448 = fadd <8 x float> %v445, %v447
  store <8 x float> %v448, ptr %c440, align 4
  br label %done445
done445:
  %v449 = icmp eq i64 %v64, 1
  br i1 %v449, label %then451, label %done452
then451:
  %v452 = load <8 x float>, ptr %v439, align 4
  %v453 = load <8 x float>, ptr %c440, align 4
  %v454 = fadd <8 x float> %v452, %v453
  store <8 x float> %v454, ptr %c440, align 4
  br label %done452
done452:
  %v455 = icmp eq i64 %v64, 2
  br i1 %v455, label %then457, label %done458
then457:
  %v458 = load <8 x float>, ptr %v439, align 4
  %v459 = fneg <8 x float> %v458
  %v460 = call <8 x float> @exp_v8f32(<8 x float> %v459)
  %v461 = fadd <8 x float> %v460, splat (float 0x3FF0000000000000)
  %v462 = fdiv <8 x float> %v458, %v461
  %v463 = load <8 x float>, ptr %c440, align 4
  %v464 = fmul <8 x float> %v462, %v463
  store <8 x float> %v464, ptr %c440, align 4
  br label %done458
done458:
  %v465 = load <8 x float>, ptr %c440, align 4
  store <8 x float> %v465, ptr %v439, align 4
  %v466 = add i64 %v74, 1
  store i64 %v466, ptr %c70, align 8
  br label %head72
done74:
  ret void
}
