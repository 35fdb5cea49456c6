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
  %c424 = alloca <8 x float>
  %c457 = alloca <8 x float>
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
  %v130 = mul i64 0, 8
  %v131 = mul i64 %v90, 32
  %v132 = getelementptr i8, ptr %v78, i64 %v131
  %v133 = mul i64 %v130, 2
  %v134 = getelementptr i8, ptr %v132, i64 %v133
  %v135 = load <8 x i16>, ptr %v134, align 2
  %v136 = bitcast <8 x i16> %v135 to <8 x half>
  %v137 = fpext <8 x half> %v136 to <8 x float>
  %v138 = mul i64 0, 8
  %v139 = mul i64 %v90, 512
  %v140 = getelementptr i8, ptr %v77, i64 %v139
  %v141 = mul i64 %v138, 4
  %v142 = getelementptr i8, ptr %v140, i64 %v141
  %v143 = load <32 x i8>, ptr %v142, align 16
  %v144 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v143, i1 false)
  %v145 = load i32, ptr %v129, align 4
  %v146 = insertelement <8 x i32> poison, i32 %v145, i32 0
  %v147 = shufflevector <8 x i32> %v146, <8 x i32> poison, <8 x i32> zeroinitializer
  %v148 = bitcast <8 x i32> %v147 to <32 x i8>
  %v149 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v148, <32 x i8> %v143)
  %v150 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v144, <32 x i8> %v149)
  %v151 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v150, <16 x i16> splat (i16 1))
  %v152 = add <8 x i32> zeroinitializer, %v151
  %v153 = mul i64 %v90, 512
  %v154 = getelementptr i8, ptr %v77, i64 %v153
  %v155 = getelementptr i8, ptr %v154, i64 64
  %v156 = mul i64 %v138, 4
  %v157 = getelementptr i8, ptr %v155, i64 %v156
  %v158 = load <32 x i8>, ptr %v157, align 16
  %v159 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v158, i1 false)
  %v160 = getelementptr i8, ptr %v129, i64 4
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
  %v171 = getelementptr i8, ptr %v170, i64 128
  %v172 = mul i64 %v138, 4
  %v173 = getelementptr i8, ptr %v171, i64 %v172
  %v174 = load <32 x i8>, ptr %v173, align 16
  %v175 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v174, i1 false)
  %v176 = getelementptr i8, ptr %v129, i64 8
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
  %v187 = getelementptr i8, ptr %v186, i64 192
  %v188 = mul i64 %v138, 4
  %v189 = getelementptr i8, ptr %v187, i64 %v188
  %v190 = load <32 x i8>, ptr %v189, align 16
  %v191 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v190, i1 false)
  %v192 = getelementptr i8, ptr %v129, i64 12
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
  %v203 = getelementptr i8, ptr %v202, i64 256
  %v204 = mul i64 %v138, 4
  %v205 = getelementptr i8, ptr %v203, i64 %v204
  %v206 = load <32 x i8>, ptr %v205, align 16
  %v207 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v206, i1 false)
  %v208 = getelementptr i8, ptr %v129, i64 16
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
  %v219 = getelementptr i8, ptr %v218, i64 320
  %v220 = mul i64 %v138, 4
  %v221 = getelementptr i8, ptr %v219, i64 %v220
  %v222 = load <32 x i8>, ptr %v221, align 16
  %v223 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v222, i1 false)
  %v224 = getelementptr i8, ptr %v129, i64 20
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
  %v235 = getelementptr i8, ptr %v234, i64 384
  %v236 = mul i64 %v138, 4
  %v237 = getelementptr i8, ptr %v235, i64 %v236
  %v238 = load <32 x i8>, ptr %v237, align 16
  %v239 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v238, i1 false)
  %v240 = getelementptr i8, ptr %v129, i64 24
  %v241 = load i32, ptr %v240, align 4
  %v242 = insertelement <8 x i32> poison, i32 %v241, i32 0
  %v243 = shufflevector <8 x i32> %v242, <8 x i32> poison, <8 x i32> zeroinitializer
  %v244 = bitcast <8 x i32> %v243 to <32 x i8>
  %v245 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v244, <32 x i8> %v238)
  %v246 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v239, <32 x i8> %v245)
  %v247 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v246, <16 x i16> splat (i16 1))
  %v248 = add <8 x i32> %v232, %v247
  %v249 = mul i64 %v90, 512
  %v250 = getelementptr i8, ptr %v77, i64 %v249
  %v251 = getelementptr i8, ptr %v250, i64 448
  %v252 = mul i64 %v138, 4
  %v253 = getelementptr i8, ptr %v251, i64 %v252
  %v254 = load <32 x i8>, ptr %v253, align 16
  %v255 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v254, i1 false)
  %v256 = getelementptr i8, ptr %v129, i64 28
  %v257 = load i32, ptr %v256, align 4
  %v258 = insertelement <8 x i32> poison, i32 %v257, i32 0
  %v259 = shufflevector <8 x i32> %v258, <8 x i32> poison, <8 x i32> zeroinitializer
  %v260 = bitcast <8 x i32> %v259 to <32 x i8>
  %v261 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v260, <32 x i8> %v254)
  %v262 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v255, <32 x i8> %v261)
  %v263 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v262, <16 x i16> splat (i16 1))
  %v264 = add <8 x i32> %v248, %v263
  %v265 = sitofp <8 x i32> %v264 to <8 x float>
  %v266 = load float, ptr %v127, align 4
  %v267 = insertelement <8 x float> poison, float %v266, i32 0
  %v268 = shufflevector <8 x float> %v267, <8 x float> poison, <8 x i32> zeroinitializer
  %v269 = fmul <8 x float> %v137, %v268
  %v270 = load <8 x float>, ptr %c79, align 4
  %v271 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v265, <8 x float> %v269, <8 x float> %v270)
  store <8 x float> %v271, ptr %c79, align 4
  %v272 = mul i64 1, 8
  %v273 = mul i64 %v90, 32
  %v274 = getelementptr i8, ptr %v78, i64 %v273
  %v275 = mul i64 %v272, 2
  %v276 = getelementptr i8, ptr %v274, i64 %v275
  %v277 = load <8 x i16>, ptr %v276, align 2
  %v278 = bitcast <8 x i16> %v277 to <8 x half>
  %v279 = fpext <8 x half> %v278 to <8 x float>
  %v280 = mul i64 1, 8
  %v281 = mul i64 %v90, 512
  %v282 = getelementptr i8, ptr %v77, i64 %v281
  %v283 = mul i64 %v280, 4
  %v284 = getelementptr i8, ptr %v282, i64 %v283
  %v285 = load <32 x i8>, ptr %v284, align 16
  %v286 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v285, i1 false)
  %v287 = load i32, ptr %v129, align 4
  %v288 = insertelement <8 x i32> poison, i32 %v287, i32 0
  %v289 = shufflevector <8 x i32> %v288, <8 x i32> poison, <8 x i32> zeroinitializer
  %v290 = bitcast <8 x i32> %v289 to <32 x i8>
  %v291 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v290, <32 x i8> %v285)
  %v292 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v286, <32 x i8> %v291)
  %v293 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v292, <16 x i16> splat (i16 1))
  %v294 = add <8 x i32> zeroinitializer, %v293
  %v295 = mul i64 %v90, 512
  %v296 = getelementptr i8, ptr %v77, i64 %v295
  %v297 = getelementptr i8, ptr %v296, i64 64
  %v298 = mul i64 %v280, 4
  %v299 = getelementptr i8, ptr %v297, i64 %v298
  %v300 = load <32 x i8>, ptr %v299, align 16
  %v301 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v300, i1 false)
  %v302 = getelementptr i8, ptr %v129, i64 4
  %v303 = load i32, ptr %v302, align 4
  %v304 = insertelement <8 x i32> poison, i32 %v303, i32 0
  %v305 = shufflevector <8 x i32> %v304, <8 x i32> poison, <8 x i32> zeroinitializer
  %v306 = bitcast <8 x i32> %v305 to <32 x i8>
  %v307 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v306, <32 x i8> %v300)
  %v308 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v301, <32 x i8> %v307)
  %v309 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v308, <16 x i16> splat (i16 1))
  %v310 = add <8 x i32> %v294, %v309
  %v311 = mul i64 %v90, 512
  %v312 = getelementptr i8, ptr %v77, i64 %v311
  %v313 = getelementptr i8, ptr %v312, i64 128
  %v314 = mul i64 %v280, 4
  %v315 = getelementptr i8, ptr %v313, i64 %v314
  %v316 = load <32 x i8>, ptr %v315, align 16
  %v317 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v316, i1 false)
  %v318 = getelementptr i8, ptr %v129, i64 8
  %v319 = load i32, ptr %v318, align 4
  %v320 = insertelement <8 x i32> poison, i32 %v319, i32 0
  %v321 = shufflevector <8 x i32> %v320, <8 x i32> poison, <8 x i32> zeroinitializer
  %v322 = bitcast <8 x i32> %v321 to <32 x i8>
  %v323 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v322, <32 x i8> %v316)
  %v324 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v317, <32 x i8> %v323)
  %v325 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v324, <16 x i16> splat (i16 1))
  %v326 = add <8 x i32> %v310, %v325
  %v327 = mul i64 %v90, 512
  %v328 = getelementptr i8, ptr %v77, i64 %v327
  %v329 = getelementptr i8, ptr %v328, i64 192
  %v330 = mul i64 %v280, 4
  %v331 = getelementptr i8, ptr %v329, i64 %v330
  %v332 = load <32 x i8>, ptr %v331, align 16
  %v333 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v332, i1 false)
  %v334 = getelementptr i8, ptr %v129, i64 12
  %v335 = load i32, ptr %v334, align 4
  %v336 = insertelement <8 x i32> poison, i32 %v335, i32 0
  %v337 = shufflevector <8 x i32> %v336, <8 x i32> poison, <8 x i32> zeroinitializer
  %v338 = bitcast <8 x i32> %v337 to <32 x i8>
  %v339 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v338, <32 x i8> %v332)
  %v340 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v333, <32 x i8> %v339)
  %v341 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v340, <16 x i16> splat (i16 1))
  %v342 = add <8 x i32> %v326, %v341
  %v343 = mul i64 %v90, 512
  %v344 = getelementptr i8, ptr %v77, i64 %v343
  %v345 = getelementptr i8, ptr %v344, i64 256
  %v346 = mul i64 %v280, 4
  %v347 = getelementptr i8, ptr %v345, i64 %v346
  %v348 = load <32 x i8>, ptr %v347, align 16
  %v349 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v348, i1 false)
  %v350 = getelementptr i8, ptr %v129, i64 16
  %v351 = load i32, ptr %v350, align 4
  %v352 = insertelement <8 x i32> poison, i32 %v351, i32 0
  %v353 = shufflevector <8 x i32> %v352, <8 x i32> poison, <8 x i32> zeroinitializer
  %v354 = bitcast <8 x i32> %v353 to <32 x i8>
  %v355 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v354, <32 x i8> %v348)
  %v356 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v349, <32 x i8> %v355)
  %v357 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v356, <16 x i16> splat (i16 1))
  %v358 = add <8 x i32> %v342, %v357
  %v359 = mul i64 %v90, 512
  %v360 = getelementptr i8, ptr %v77, i64 %v359
  %v361 = getelementptr i8, ptr %v360, i64 320
  %v362 = mul i64 %v280, 4
  %v363 = getelementptr i8, ptr %v361, i64 %v362
  %v364 = load <32 x i8>, ptr %v363, align 16
  %v365 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v364, i1 false)
  %v366 = getelementptr i8, ptr %v129, i64 20
  %v367 = load i32, ptr %v366, align 4
  %v368 = insertelement <8 x i32> poison, i32 %v367, i32 0
  %v369 = shufflevector <8 x i32> %v368, <8 x i32> poison, <8 x i32> zeroinitializer
  %v370 = bitcast <8 x i32> %v369 to <32 x i8>
  %v371 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v370, <32 x i8> %v364)
  %v372 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v365, <32 x i8> %v371)
  %v373 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v372, <16 x i16> splat (i16 1))
  %v374 = add <8 x i32> %v358, %v373
  %v375 = mul i64 %v90, 512
  %v376 = getelementptr i8, ptr %v77, i64 %v375
  %v377 = getelementptr i8, ptr %v376, i64 384
  %v378 = mul i64 %v280, 4
  %v379 = getelementptr i8, ptr %v377, i64 %v378
  %v380 = load <32 x i8>, ptr %v379, align 16
  %v381 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v380, i1 false)
  %v382 = getelementptr i8, ptr %v129, i64 24
  %v383 = load i32, ptr %v382, align 4
  %v384 = insertelement <8 x i32> poison, i32 %v383, i32 0
  %v385 = shufflevector <8 x i32> %v384, <8 x i32> poison, <8 x i32> zeroinitializer
  %v386 = bitcast <8 x i32> %v385 to <32 x i8>
  %v387 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v386, <32 x i8> %v380)
  %v388 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v381, <32 x i8> %v387)
  %v389 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v388, <16 x i16> splat (i16 1))
  %v390 = add <8 x i32> %v374, %v389
  %v391 = mul i64 %v90, 512
  %v392 = getelementptr i8, ptr %v77, i64 %v391
  %v393 = getelementptr i8, ptr %v392, i64 448
  %v394 = mul i64 %v280, 4
  %v395 = getelementptr i8, ptr %v393, i64 %v394
  %v396 = load <32 x i8>, ptr %v395, align 16
  %v397 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v396, i1 false)
  %v398 = getelementptr i8, ptr %v129, i64 28
  %v399 = load i32, ptr %v398, align 4
  %v400 = insertelement <8 x i32> poison, i32 %v399, i32 0
  %v401 = shufflevector <8 x i32> %v400, <8 x i32> poison, <8 x i32> zeroinitializer
  %v402 = bitcast <8 x i32> %v401 to <32 x i8>
  %v403 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v402, <32 x i8> %v396)
  %v404 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v397, <32 x i8> %v403)
  %v405 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v404, <16 x i16> splat (i16 1))
  %v406 = add <8 x i32> %v390, %v405
  %v407 = sitofp <8 x i32> %v406 to <8 x float>
  %v408 = load float, ptr %v127, align 4
  %v409 = insertelement <8 x float> poison, float %v408, i32 0
  %v410 = shufflevector <8 x float> %v409, <8 x float> poison, <8 x i32> zeroinitializer
  %v411 = fmul <8 x float> %v279, %v410
  %v412 = load <8 x float>, ptr %c80, align 4
  %v413 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v407, <8 x float> %v411, <8 x float> %v412)
  store <8 x float> %v413, ptr %c80, align 4
  %v414 = add i64 %v90, 1
  store i64 %v414, ptr %c86, align 8
  br label %head88
done90:
  %v415 = load <8 x float>, ptr %c79, align 4
  %v416 = load <8 x float>, ptr %c80, align 4
  %v417 = mul i64 %v74, 16
  %v418 = mul i64 0, 8
  %v419 = add i64 %v417, %v418
  %v420 = mul i64 %v419, 4
  %v421 = mul i64 0, %v60
  %v422 = getelementptr i8, ptr %v30, i64 %v421
  %v423 = getelementptr i8, ptr %v422, i64 %v420
  store <8 x float> %v415, ptr %c424, align 4
  %v425 = ptrtoint ptr %v38 to i64
  %v426 = icmp ne i64 %v425, 0
  br i1 %v426, label %then428, label %done429
then428:
  %v429 = load <8 x float>, ptr %c424, align 4
  %v430 = getelementptr i8, ptr %v38, i64 %v420
  %v431 = load <8 x float>, ptr %v430, align 4
  %v432 = fadd <8 x float> %v429, %v431
  store <8 x float> %v432, ptr %c424, align 4
  br label %done429
done429:
  %v433 = icmp eq i64 %v64, 1
  br i1 %v433, label %then435, label %done436
then435:
  %v436 = load <8 x float>, ptr %v423, align 4
  %v437 = load <8 x float>, ptr %c424, align 4
  %v438 = fadd <8 x float> %v436, %v437
  store <8 x float> %v438, ptr %c424, align 4
  br label %done436
done436:
  %v439 = icmp eq i64 %v64, 2
  br i1 %v439, label %then441, label %done442
then441:
  %v442 = load <8 x float>, ptr %v423, align 4
  %v443 = fneg <8 x float> %v442
  %v444 = call <8 x float> @exp_v8f32(<8 x float> %v443)
  %v445 = fadd <8 x float> %v444, splat (float 0x3FF0000000000000)
  %v446 = fdiv <8 x float> %v442, %v445
  %v447 = load <8 x float>, ptr %c424, align 4
  %v448 = fmul <8 x float> %v446, %v447
  store <8 x float> %v448, ptr %c424, align 4
  br label %done442
done442:
  %v449 = load <8 x float>, ptr %c424, align 4
  store <8 x float> %v449, ptr %v423, align 4
  %v450 = mul i64 %v74, 16
  %v451 = mul i64 1, 8
  %v452 = add i64 %v450, %v451
  %v453 = mul i64 %v452, 4
  %v454 = mul i64 0, %v60
  %v455 = getelementptr i8, ptr %v30, i64 %v454
  %v456 = getelementptr i8, ptr %v455, i64 %v453
  store <8 x float> %v416, ptr %c457, align 4
  %v458 = ptrtoint ptr %v38 to i64
  %v459 = icmp ne i64 %v458, 0
  br i1 %v459, label %then461, label %done462
then461:
  %v462 = load <8 x float>, ptr %c457, align 4
  %v463 = getelementptr i8, ptr %v38, i64 %v453
  %v464 = load <8 x float>, ptr %v463, align 4
  %v465 = fadd <8 x float> %v462, %v464
  store <8 x float> %v465, ptr %c457, align 4
  br label %done462
done462:
  %v466 = icmp eq i64 %v64, 1
  br i1 %v466, label %then468, label %done469
then468:
  %v469 = load <8 x float>, ptr %v456, align 4
  %v470 = load <8 x float>, ptr %c457, align 4
  %v471 = fadd <8 x float> %v469, %v470
  store <8 x float> %v471, ptr %c457, align 4
  br label %done469
done469:
  %v472 = icmp eq i64 %v64, 2
  br i1 %v472, label %then474, label %done475
then474:
  %v475 = load <8 x float>, ptr %v456, align 4
  %v476 = fneg <8 x float> %v475
  %v477 = call <8 x float> @exp_v8f32(<8 x float> %v476)
  %v478 = fadd <8 x float> %v477, splat (float 0x3FF0000000000000)
  %v479 = fdiv <8 x float> %v475, %v478
  %v480 = load <8 x float>, ptr %c457, align 4
  %v481 = fmul <8 x float> %v479, %v480
  store <8 x float> %v481, ptr %c457, align 4
  br label %done475
done475:
  %v482 = load <8 x float>, ptr %c457, align 4
  store <8 x float> %v482, ptr %v456, align 4
  %v483 = add i64 %v74, 1
  store i64 %v483, ptr %c70, align 8
  br label %head72
done74:
  ret void
}
