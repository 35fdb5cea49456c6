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
  %c80 = alloca i64
  %c89 = alloca <8 x float>
  %c90 = alloca <8 x float>
  %c96 = alloca i64
  %c433 = alloca <8 x float>
  %c466 = alloca <8 x float>
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
  store <8 x float> zeroinitializer, ptr %c89, align 4
  store <8 x float> zeroinitializer, ptr %c90, align 4
  %v91 = sdiv i64 %v48, 32
  %v92 = sdiv i64 31, %v91
  %v93 = mul i64 %v92, %v52
  %v94 = srem i64 31, %v91
  %v95 = sdiv i64 %v48, 32
  store i64 0, ptr %c96, align 8
  br label %head98
head98:
  %v100 = load i64, ptr %c96, align 8
  %v101 = icmp slt i64 %v100, %v95
  br i1 %v101, label %body99, label %done100
body99:
  %v102 = add i64 %v100, %v94
  %v103 = icmp sge i64 %v102, %v91
  %v104 = select i1 %v103, i64 %v52, i64 0
  %v105 = add i64 %v93, %v104
  %v106 = select i1 %v103, i64 %v91, i64 0
  %v107 = sub i64 %v102, %v106
  %v108 = getelementptr i8, ptr %v87, i64 %v105
  %v109 = mul i64 %v107, 512
  %v110 = getelementptr i8, ptr %v108, i64 %v109
  %v111 = getelementptr i8, ptr %v88, i64 %v105
  %v112 = mul i64 %v107, 32
  %v113 = getelementptr i8, ptr %v111, i64 %v112
  call void @llvm.prefetch.p0(ptr %v113, i32 0, i32 2, i32 1)
  %v114 = mul i64 0, 512
  %v115 = getelementptr i8, ptr %v110, i64 %v114
  call void @llvm.prefetch.p0(ptr %v115, i32 0, i32 2, i32 1)
  %v116 = mul i64 0, 512
  %v117 = getelementptr i8, ptr %v110, i64 %v116
  %v118 = getelementptr i8, ptr %v117, i64 64
  call void @llvm.prefetch.p0(ptr %v118, i32 0, i32 2, i32 1)
  %v119 = mul i64 0, 512
  %v120 = getelementptr i8, ptr %v110, i64 %v119
  %v121 = getelementptr i8, ptr %v120, i64 128
  call void @llvm.prefetch.p0(ptr %v121, i32 0, i32 2, i32 1)
  %v122 = mul i64 0, 512
  %v123 = getelementptr i8, ptr %v110, i64 %v122
  %v124 = getelementptr i8, ptr %v123, i64 192
  call void @llvm.prefetch.p0(ptr %v124, i32 0, i32 2, i32 1)
  %v125 = mul i64 0, 512
  %v126 = getelementptr i8, ptr %v110, i64 %v125
  %v127 = getelementptr i8, ptr %v126, i64 256
  call void @llvm.prefetch.p0(ptr %v127, i32 0, i32 2, i32 1)
  %v128 = mul i64 0, 512
  %v129 = getelementptr i8, ptr %v110, i64 %v128
  %v130 = getelementptr i8, ptr %v129, i64 320
  call void @llvm.prefetch.p0(ptr %v130, i32 0, i32 2, i32 1)
  %v131 = mul i64 0, 512
  %v132 = getelementptr i8, ptr %v110, i64 %v131
  %v133 = getelementptr i8, ptr %v132, i64 384
  call void @llvm.prefetch.p0(ptr %v133, i32 0, i32 2, i32 1)
  %v134 = mul i64 0, 512
  %v135 = getelementptr i8, ptr %v110, i64 %v134
  %v136 = getelementptr i8, ptr %v135, i64 448
  call void @llvm.prefetch.p0(ptr %v136, i32 0, i32 2, i32 1)
  %v137 = mul i64 %v100, %v64
  %v138 = getelementptr i8, ptr %v6, i64 %v137
  %v139 = mul i64 %v100, %v66
  %v140 = getelementptr i8, ptr %v14, i64 %v139
  %v141 = mul i64 0, 8
  %v142 = mul i64 %v100, 512
  %v143 = getelementptr i8, ptr %v87, i64 %v142
  %v144 = mul i64 %v141, 4
  %v145 = getelementptr i8, ptr %v143, i64 %v144
  %v146 = load <32 x i8>, ptr %v145, align 16
  %v147 = mul i64 %v100, 512
  %v148 = getelementptr i8, ptr %v87, i64 %v147
  %v149 = getelementptr i8, ptr %v148, i64 64
  %v150 = mul i64 %v141, 4
  %v151 = getelementptr i8, ptr %v149, i64 %v150
  %v152 = load <32 x i8>, ptr %v151, align 16
  %v153 = mul i64 %v100, 512
  %v154 = getelementptr i8, ptr %v87, i64 %v153
  %v155 = getelementptr i8, ptr %v154, i64 128
  %v156 = mul i64 %v141, 4
  %v157 = getelementptr i8, ptr %v155, i64 %v156
  %v158 = load <32 x i8>, ptr %v157, align 16
  %v159 = mul i64 %v100, 512
  %v160 = getelementptr i8, ptr %v87, i64 %v159
  %v161 = getelementptr i8, ptr %v160, i64 192
  %v162 = mul i64 %v141, 4
  %v163 = getelementptr i8, ptr %v161, i64 %v162
  %v164 = load <32 x i8>, ptr %v163, align 16
  %v165 = mul i64 %v100, 512
  %v166 = getelementptr i8, ptr %v87, i64 %v165
  %v167 = getelementptr i8, ptr %v166, i64 256
  %v168 = mul i64 %v141, 4
  %v169 = getelementptr i8, ptr %v167, i64 %v168
  %v170 = load <32 x i8>, ptr %v169, align 16
  %v171 = mul i64 %v100, 512
  %v172 = getelementptr i8, ptr %v87, i64 %v171
  %v173 = getelementptr i8, ptr %v172, i64 320
  %v174 = mul i64 %v141, 4
  %v175 = getelementptr i8, ptr %v173, i64 %v174
  %v176 = load <32 x i8>, ptr %v175, align 16
  %v177 = mul i64 %v100, 512
  %v178 = getelementptr i8, ptr %v87, i64 %v177
  %v179 = getelementptr i8, ptr %v178, i64 384
  %v180 = mul i64 %v141, 4
  %v181 = getelementptr i8, ptr %v179, i64 %v180
  %v182 = load <32 x i8>, ptr %v181, align 16
  %v183 = mul i64 %v100, 512
  %v184 = getelementptr i8, ptr %v87, i64 %v183
  %v185 = getelementptr i8, ptr %v184, i64 448
  %v186 = mul i64 %v141, 4
  %v187 = getelementptr i8, ptr %v185, i64 %v186
  %v188 = load <32 x i8>, ptr %v187, align 16
  %v189 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v146, i1 false)
  %v190 = load i32, ptr %v138, align 4
  %v191 = insertelement <8 x i32> poison, i32 %v190, i32 0
  %v192 = shufflevector <8 x i32> %v191, <8 x i32> poison, <8 x i32> zeroinitializer
  %v193 = bitcast <8 x i32> %v192 to <32 x i8>
  %v194 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v193, <32 x i8> %v146)
  %v195 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v189, <32 x i8> %v194)
  %v196 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v195, <16 x i16> splat (i16 1))
  %v197 = add <8 x i32> zeroinitializer, %v196
  %v198 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v152, i1 false)
  %v199 = getelementptr i8, ptr %v138, i64 4
  %v200 = load i32, ptr %v199, align 4
  %v201 = insertelement <8 x i32> poison, i32 %v200, i32 0
  %v202 = shufflevector <8 x i32> %v201, <8 x i32> poison, <8 x i32> zeroinitializer
  %v203 = bitcast <8 x i32> %v202 to <32 x i8>
  %v204 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v203, <32 x i8> %v152)
  %v205 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v198, <32 x i8> %v204)
  %v206 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v205, <16 x i16> splat (i16 1))
  %v207 = add <8 x i32> %v197, %v206
  %v208 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v158, i1 false)
  %v209 = getelementptr i8, ptr %v138, i64 8
  %v210 = load i32, ptr %v209, align 4
  %v211 = insertelement <8 x i32> poison, i32 %v210, i32 0
  %v212 = shufflevector <8 x i32> %v211, <8 x i32> poison, <8 x i32> zeroinitializer
  %v213 = bitcast <8 x i32> %v212 to <32 x i8>
  %v214 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v213, <32 x i8> %v158)
  %v215 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v208, <32 x i8> %v214)
  %v216 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v215, <16 x i16> splat (i16 1))
  %v217 = add <8 x i32> %v207, %v216
  %v218 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v164, i1 false)
  %v219 = getelementptr i8, ptr %v138, i64 12
  %v220 = load i32, ptr %v219, align 4
  %v221 = insertelement <8 x i32> poison, i32 %v220, i32 0
  %v222 = shufflevector <8 x i32> %v221, <8 x i32> poison, <8 x i32> zeroinitializer
  %v223 = bitcast <8 x i32> %v222 to <32 x i8>
  %v224 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v223, <32 x i8> %v164)
  %v225 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v218, <32 x i8> %v224)
  %v226 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v225, <16 x i16> splat (i16 1))
  %v227 = add <8 x i32> %v217, %v226
  %v228 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v170, i1 false)
  %v229 = getelementptr i8, ptr %v138, i64 16
  %v230 = load i32, ptr %v229, align 4
  %v231 = insertelement <8 x i32> poison, i32 %v230, i32 0
  %v232 = shufflevector <8 x i32> %v231, <8 x i32> poison, <8 x i32> zeroinitializer
  %v233 = bitcast <8 x i32> %v232 to <32 x i8>
  %v234 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v233, <32 x i8> %v170)
  %v235 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v228, <32 x i8> %v234)
  %v236 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v235, <16 x i16> splat (i16 1))
  %v237 = add <8 x i32> %v227, %v236
  %v238 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v176, i1 false)
  %v239 = getelementptr i8, ptr %v138, i64 20
  %v240 = load i32, ptr %v239, align 4
  %v241 = insertelement <8 x i32> poison, i32 %v240, i32 0
  %v242 = shufflevector <8 x i32> %v241, <8 x i32> poison, <8 x i32> zeroinitializer
  %v243 = bitcast <8 x i32> %v242 to <32 x i8>
  %v244 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v243, <32 x i8> %v176)
  %v245 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v238, <32 x i8> %v244)
  %v246 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v245, <16 x i16> splat (i16 1))
  %v247 = add <8 x i32> %v237, %v246
  %v248 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v182, i1 false)
  %v249 = getelementptr i8, ptr %v138, i64 24
  %v250 = load i32, ptr %v249, align 4
  %v251 = insertelement <8 x i32> poison, i32 %v250, i32 0
  %v252 = shufflevector <8 x i32> %v251, <8 x i32> poison, <8 x i32> zeroinitializer
  %v253 = bitcast <8 x i32> %v252 to <32 x i8>
  %v254 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v253, <32 x i8> %v182)
  %v255 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v248, <32 x i8> %v254)
  %v256 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v255, <16 x i16> splat (i16 1))
  %v257 = add <8 x i32> %v247, %v256
  %v258 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v188, i1 false)
  %v259 = getelementptr i8, ptr %v138, i64 28
  %v260 = load i32, ptr %v259, align 4
  %v261 = insertelement <8 x i32> poison, i32 %v260, i32 0
  %v262 = shufflevector <8 x i32> %v261, <8 x i32> poison, <8 x i32> zeroinitializer
  %v263 = bitcast <8 x i32> %v262 to <32 x i8>
  %v264 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v263, <32 x i8> %v188)
  %v265 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v258, <32 x i8> %v264)
  %v266 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v265, <16 x i16> splat (i16 1))
  %v267 = add <8 x i32> %v257, %v266
  %v268 = mul i64 %v100, 32
  %v269 = getelementptr i8, ptr %v88, i64 %v268
  %v270 = mul i64 %v141, 2
  %v271 = getelementptr i8, ptr %v269, i64 %v270
  %v272 = load <8 x i16>, ptr %v271, align 2
  %v273 = bitcast <8 x i16> %v272 to <8 x half>
  %v274 = fpext <8 x half> %v273 to <8 x float>
  %v275 = load float, ptr %v140, align 4
  %v276 = insertelement <8 x float> poison, float %v275, i32 0
  %v277 = shufflevector <8 x float> %v276, <8 x float> poison, <8 x i32> zeroinitializer
  %v278 = fmul <8 x float> %v274, %v277
  %v279 = sitofp <8 x i32> %v267 to <8 x float>
  %v280 = load <8 x float>, ptr %c89, align 4
  %v281 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v279, <8 x float> %v278, <8 x float> %v280)
  store <8 x float> %v281, ptr %c89, align 4
  %v282 = mul i64 1, 8
  %v283 = mul i64 %v100, 512
  %v284 = getelementptr i8, ptr %v87, i64 %v283
  %v285 = mul i64 %v282, 4
  %v286 = getelementptr i8, ptr %v284, i64 %v285
  %v287 = load <32 x i8>, ptr %v286, align 16
  %v288 = mul i64 %v100, 512
  %v289 = getelementptr i8, ptr %v87, i64 %v288
  %v290 = getelementptr i8, ptr %v289, i64 64
  %v291 = mul i64 %v282, 4
  %v292 = getelementptr i8, ptr %v290, i64 %v291
  %v293 = load <32 x i8>, ptr %v292, align 16
  %v294 = mul i64 %v100, 512
  %v295 = getelementptr i8, ptr %v87, i64 %v294
  %v296 = getelementptr i8, ptr %v295, i64 128
  %v297 = mul i64 %v282, 4
  %v298 = getelementptr i8, ptr %v296, i64 %v297
  %v299 = load <32 x i8>, ptr %v298, align 16
  %v300 = mul i64 %v100, 512
  %v301 = getelementptr i8, ptr %v87, i64 %v300
  %v302 = getelementptr i8, ptr %v301, i64 192
  %v303 = mul i64 %v282, 4
  %v304 = getelementptr i8, ptr %v302, i64 %v303
  %v305 = load <32 x i8>, ptr %v304, align 16
  %v306 = mul i64 %v100, 512
  %v307 = getelementptr i8, ptr %v87, i64 %v306
  %v308 = getelementptr i8, ptr %v307, i64 256
  %v309 = mul i64 %v282, 4
  %v310 = getelementptr i8, ptr %v308, i64 %v309
  %v311 = load <32 x i8>, ptr %v310, align 16
  %v312 = mul i64 %v100, 512
  %v313 = getelementptr i8, ptr %v87, i64 %v312
  %v314 = getelementptr i8, ptr %v313, i64 320
  %v315 = mul i64 %v282, 4
  %v316 = getelementptr i8, ptr %v314, i64 %v315
  %v317 = load <32 x i8>, ptr %v316, align 16
  %v318 = mul i64 %v100, 512
  %v319 = getelementptr i8, ptr %v87, i64 %v318
  %v320 = getelementptr i8, ptr %v319, i64 384
  %v321 = mul i64 %v282, 4
  %v322 = getelementptr i8, ptr %v320, i64 %v321
  %v323 = load <32 x i8>, ptr %v322, align 16
  %v324 = mul i64 %v100, 512
  %v325 = getelementptr i8, ptr %v87, i64 %v324
  %v326 = getelementptr i8, ptr %v325, i64 448
  %v327 = mul i64 %v282, 4
  %v328 = getelementptr i8, ptr %v326, i64 %v327
  %v329 = load <32 x i8>, ptr %v328, align 16
  %v330 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v287, i1 false)
  %v331 = load i32, ptr %v138, align 4
  %v332 = insertelement <8 x i32> poison, i32 %v331, i32 0
  %v333 = shufflevector <8 x i32> %v332, <8 x i32> poison, <8 x i32> zeroinitializer
  %v334 = bitcast <8 x i32> %v333 to <32 x i8>
  %v335 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v334, <32 x i8> %v287)
  %v336 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v330, <32 x i8> %v335)
  %v337 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v336, <16 x i16> splat (i16 1))
  %v338 = add <8 x i32> zeroinitializer, %v337
  %v339 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v293, i1 false)
  %v340 = getelementptr i8, ptr %v138, i64 4
  %v341 = load i32, ptr %v340, align 4
  %v342 = insertelement <8 x i32> poison, i32 %v341, i32 0
  %v343 = shufflevector <8 x i32> %v342, <8 x i32> poison, <8 x i32> zeroinitializer
  %v344 = bitcast <8 x i32> %v343 to <32 x i8>
  %v345 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v344, <32 x i8> %v293)
  %v346 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v339, <32 x i8> %v345)
  %v347 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v346, <16 x i16> splat (i16 1))
  %v348 = add <8 x i32> %v338, %v347
  %v349 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v299, i1 false)
  %v350 = getelementptr i8, ptr %v138, i64 8
  %v351 = load i32, ptr %v350, align 4
  %v352 = insertelement <8 x i32> poison, i32 %v351, i32 0
  %v353 = shufflevector <8 x i32> %v352, <8 x i32> poison, <8 x i32> zeroinitializer
  %v354 = bitcast <8 x i32> %v353 to <32 x i8>
  %v355 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v354, <32 x i8> %v299)
  %v356 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v349, <32 x i8> %v355)
  %v357 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v356, <16 x i16> splat (i16 1))
  %v358 = add <8 x i32> %v348, %v357
  %v359 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v305, i1 false)
  %v360 = getelementptr i8, ptr %v138, i64 12
  %v361 = load i32, ptr %v360, align 4
  %v362 = insertelement <8 x i32> poison, i32 %v361, i32 0
  %v363 = shufflevector <8 x i32> %v362, <8 x i32> poison, <8 x i32> zeroinitializer
  %v364 = bitcast <8 x i32> %v363 to <32 x i8>
  %v365 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v364, <32 x i8> %v305)
  %v366 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v359, <32 x i8> %v365)
  %v367 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v366, <16 x i16> splat (i16 1))
  %v368 = add <8 x i32> %v358, %v367
  %v369 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v311, i1 false)
  %v370 = getelementptr i8, ptr %v138, i64 16
  %v371 = load i32, ptr %v370, align 4
  %v372 = insertelement <8 x i32> poison, i32 %v371, i32 0
  %v373 = shufflevector <8 x i32> %v372, <8 x i32> poison, <8 x i32> zeroinitializer
  %v374 = bitcast <8 x i32> %v373 to <32 x i8>
  %v375 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v374, <32 x i8> %v311)
  %v376 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v369, <32 x i8> %v375)
  %v377 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v376, <16 x i16> splat (i16 1))
  %v378 = add <8 x i32> %v368, %v377
  %v379 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v317, i1 false)
  %v380 = getelementptr i8, ptr %v138, i64 20
  %v381 = load i32, ptr %v380, align 4
  %v382 = insertelement <8 x i32> poison, i32 %v381, i32 0
  %v383 = shufflevector <8 x i32> %v382, <8 x i32> poison, <8 x i32> zeroinitializer
  %v384 = bitcast <8 x i32> %v383 to <32 x i8>
  %v385 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v384, <32 x i8> %v317)
  %v386 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v379, <32 x i8> %v385)
  %v387 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v386, <16 x i16> splat (i16 1))
  %v388 = add <8 x i32> %v378, %v387
  %v389 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v323, i1 false)
  %v390 = getelementptr i8, ptr %v138, i64 24
  %v391 = load i32, ptr %v390, align 4
  %v392 = insertelement <8 x i32> poison, i32 %v391, i32 0
  %v393 = shufflevector <8 x i32> %v392, <8 x i32> poison, <8 x i32> zeroinitializer
  %v394 = bitcast <8 x i32> %v393 to <32 x i8>
  %v395 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v394, <32 x i8> %v323)
  %v396 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v389, <32 x i8> %v395)
  %v397 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v396, <16 x i16> splat (i16 1))
  %v398 = add <8 x i32> %v388, %v397
  %v399 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v329, i1 false)
  %v400 = getelementptr i8, ptr %v138, i64 28
  %v401 = load i32, ptr %v400, align 4
  %v402 = insertelement <8 x i32> poison, i32 %v401, i32 0
  %v403 = shufflevector <8 x i32> %v402, <8 x i32> poison, <8 x i32> zeroinitializer
  %v404 = bitcast <8 x i32> %v403 to <32 x i8>
  %v405 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v404, <32 x i8> %v329)
  %v406 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v399, <32 x i8> %v405)
  %v407 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v406, <16 x i16> splat (i16 1))
  %v408 = add <8 x i32> %v398, %v407
  %v409 = mul i64 %v100, 32
  %v410 = getelementptr i8, ptr %v88, i64 %v409
  %v411 = mul i64 %v282, 2
  %v412 = getelementptr i8, ptr %v410, i64 %v411
  %v413 = load <8 x i16>, ptr %v412, align 2
  %v414 = bitcast <8 x i16> %v413 to <8 x half>
  %v415 = fpext <8 x half> %v414 to <8 x float>
  %v416 = load float, ptr %v140, align 4
  %v417 = insertelement <8 x float> poison, float %v416, i32 0
  %v418 = shufflevector <8 x float> %v417, <8 x float> poison, <8 x i32> zeroinitializer
  %v419 = fmul <8 x float> %v415, %v418
  %v420 = sitofp <8 x i32> %v408 to <8 x float>
  %v421 = load <8 x float>, ptr %c90, align 4
  %v422 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v420, <8 x float> %v419, <8 x float> %v421)
  store <8 x float> %v422, ptr %c90, align 4
  %v423 = add i64 %v100, 1
  store i64 %v423, ptr %c96, align 8
  br label %head98
done100:
  %v424 = load <8 x float>, ptr %c89, align 4
  %v425 = load <8 x float>, ptr %c90, align 4
  %v426 = mul i64 0, 8
  %v427 = mul i64 %v84, 16
  %v428 = add i64 %v427, %v426
  %v429 = mul i64 %v428, 4
  %v430 = mul i64 0, %v68
  %v431 = getelementptr i8, ptr %v30, i64 %v430
  %v432 = getelementptr i8, ptr %v431, i64 %v429
  store <8 x float> %v424, ptr %c433, align 4
  %v434 = ptrtoint ptr %v38 to i64
  %v435 = icmp ne i64 %v434, 0
  br i1 %v435, label %then437, label %done438
then437:
  %v438 = load <8 x float>, ptr %c433, align 4
  %v439 = getelementptr i8, ptr %v38, i64 %v429
  %v440 = load <8 x float>, ptr %v439, align 4
  %v441 = fadd <8 x float> %v438, %v440
  store <8 x float> %v441, ptr %c433, align 4
  br label %done438
done438:
  %v442 = icmp eq i64 %v74, 1
  br i1 %v442, label %then444, label %done445
then444:
  %v445 = load <8 x float>, ptr %v432, align 4
  %v446 = load <8 x float>, ptr %c433, align 4
  %v447 = fadd <8 x float> %v445, %v446
  store <8 x float> %v447, ptr %c433, align 4
  br label %done445
done445:
  %v448 = icmp eq i64 %v74, 2
  br i1 %v448, label %then450, label %done451
then450:
  %v451 = load <8 x float>, ptr %v432, align 4
  %v452 = fneg <8 x float> %v451
  %v453 = call <8 x float> @exp_v8f32(<8 x float> %v452)
  %v454 = fadd <8 x float> %v453, splat (float 0x3FF0000000000000)
  %v455 = fdiv <8 x float> %v451, %v454
  %v456 = load <8 x float>, ptr %c433, align 4
  %v457 = fmul <8 x float> %v455, %v456
  store <8 x float> %v457, ptr %c433, align 4
  br label %done451
done451:
  %v458 = load <8 x float>, ptr %c433, align 4
  store <8 x float> %v458, ptr %v432, align 4
  %v459 = mul i64 1, 8
  %v460 = mul i64 %v84, 16
  %v461 = add i64 %v460, %v459
  %v462 = mul i64 %v461, 4
  %v463 = mul i64 0, %v68
  %v464 = getelementptr i8, ptr %v30, i64 %v463
  %v465 = getelementptr i8, ptr %v464, i64 %v462
  store <8 x float> %v425, ptr %c466, align 4
  %v467 = ptrtoint ptr %v38 to i64
  %v468 = icmp ne i64 %v467, 0
  br i1 %v468, label %then470, label %done471
then470:
  %v471 = load <8 x float>, ptr %c466, align 4
  %v472 = getelementptr i8, ptr %v38, i64 %v462
  %v473 = load <8 x float>, ptr %v472, align 4
  %v474 = fadd <8 x float> %v471, %v473
  store <8 x float> %v474, ptr %c466, align 4
  br label %done471
done471:
  %v475 = icmp eq i64 %v74, 1
  br i1 %v475, label %then477, label %done478
then477:
  %v478 = load <8 x float>, ptr %v465, align 4
  %v479 = load <8 x float>, ptr %c466, align 4
  %v480 = fadd <8 x float> %v478, %v479
  store <8 x float> %v480, ptr %c466, align 4
  br label %done478
done478:
  %v481 = icmp eq i64 %v74, 2
  br i1 %v481, label %then483, label %done484
then483:
  %v484 = load <8 x float>, ptr %v465, align 4
  %v485 = fneg <8 x float> %v484
  %v486 = call <8 x float> @exp_v8f32(<8 x float> %v485)
  %v487 = fadd <8 x float> %v486, splat (float 0x3FF0000000000000)
  %v488 = fdiv <8 x float> %v484, %v487
  %v489 = load <8 x float>, ptr %c466, align 4
  %v490 = fmul <8 x float> %v488, %v489
  store <8 x float> %v490, ptr %c466, align 4
  br label %done484
done484:
  %v491 = load <8 x float>, ptr %c466, align 4
  store <8 x float> %v491, ptr %v465, align 4
  %v492 = add i64 %v84, 1
  store i64 %v492, ptr %c80, align 8
  br label %head82
done84:
  ret void
}
