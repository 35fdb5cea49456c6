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
  %c70 = alloca i64
  %c79 = alloca <16 x float>
  %c85 = alloca i64
  %c296 = alloca <16 x float>
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
  store <16 x float> zeroinitializer, ptr %c79, align 4
  %v80 = mul i64 0, %v56
  %v81 = getelementptr i8, ptr %v6, i64 %v80
  %v82 = mul i64 0, %v58
  %v83 = getelementptr i8, ptr %v14, i64 %v82
  %v84 = sdiv i64 %v40, 32
  store i64 0, ptr %c85, align 8
  br label %head87
head87:
  %v89 = load i64, ptr %c85, align 8
  %v90 = icmp slt i64 %v89, %v84
  br i1 %v90, label %body88, label %done89
body88:
  %v91 = getelementptr i8, ptr %v77, i64 %v44
  %v92 = mul i64 %v89, 512
  %v93 = getelementptr i8, ptr %v91, i64 %v92
  call void @llvm.prefetch.p0(ptr %v93, i32 0, i32 3, i32 1)
  %v94 = getelementptr i8, ptr %v77, i64 %v44
  %v95 = mul i64 %v89, 512
  %v96 = getelementptr i8, ptr %v94, i64 %v95
  %v97 = getelementptr i8, ptr %v96, i64 64
  call void @llvm.prefetch.p0(ptr %v97, i32 0, i32 3, i32 1)
  %v98 = getelementptr i8, ptr %v77, i64 %v44
  %v99 = mul i64 %v89, 512
  %v100 = getelementptr i8, ptr %v98, i64 %v99
  %v101 = getelementptr i8, ptr %v100, i64 128
  call void @llvm.prefetch.p0(ptr %v101, i32 0, i32 3, i32 1)
  %v102 = getelementptr i8, ptr %v77, i64 %v44
  %v103 = mul i64 %v89, 512
  %v104 = getelementptr i8, ptr %v102, i64 %v103
  %v105 = getelementptr i8, ptr %v104, i64 192
  call void @llvm.prefetch.p0(ptr %v105, i32 0, i32 3, i32 1)
  %v106 = getelementptr i8, ptr %v77, i64 %v44
  %v107 = mul i64 %v89, 512
  %v108 = getelementptr i8, ptr %v106, i64 %v107
  %v109 = getelementptr i8, ptr %v108, i64 256
  call void @llvm.prefetch.p0(ptr %v109, i32 0, i32 3, i32 1)
  %v110 = getelementptr i8, ptr %v77, i64 %v44
  %v111 = mul i64 %v89, 512
  %v112 = getelementptr i8, ptr %v110, i64 %v111
  %v113 = getelementptr i8, ptr %v112, i64 320
  call void @llvm.prefetch.p0(ptr %v113, i32 0, i32 3, i32 1)
  %v114 = getelementptr i8, ptr %v77, i64 %v44
  %v115 = mul i64 %v89, 512
  %v116 = getelementptr i8, ptr %v114, i64 %v115
  %v117 = getelementptr i8, ptr %v116, i64 384
  call void @llvm.prefetch.p0(ptr %v117, i32 0, i32 3, i32 1)
  %v118 = getelementptr i8, ptr %v77, i64 %v44
  %v119 = mul i64 %v89, 512
  %v120 = getelementptr i8, ptr %v118, i64 %v119
  %v121 = getelementptr i8, ptr %v120, i64 448
  call void @llvm.prefetch.p0(ptr %v121, i32 0, i32 3, i32 1)
  %v122 = getelementptr i8, ptr %v78, i64 %v44
  %v123 = mul i64 %v89, 32
  %v124 = getelementptr i8, ptr %v122, i64 %v123
  call void @llvm.prefetch.p0(ptr %v124, i32 0, i32 3, i32 1)
  %v125 = mul i64 %v89, 16
  %v126 = getelementptr i8, ptr %v83, i64 %v125
  %v127 = mul i64 %v89, 32
  %v128 = getelementptr i8, ptr %v81, i64 %v127
  %v129 = mul i64 0, 16
  %v130 = mul i64 %v89, 32
  %v131 = getelementptr i8, ptr %v78, i64 %v130
  %v132 = mul i64 %v129, 2
  %v133 = getelementptr i8, ptr %v131, i64 %v132
  %v134 = load <16 x i16>, ptr %v133, align 2
  %v135 = bitcast <16 x i16> %v134 to <16 x half>
  %v136 = fpext <16 x half> %v135 to <16 x float>
  %v137 = mul i64 0, 16
  %v138 = mul i64 %v89, 512
  %v139 = getelementptr i8, ptr %v77, i64 %v138
  %v140 = mul i64 %v137, 4
  %v141 = getelementptr i8, ptr %v139, i64 %v140
  %v142 = load <64 x i8>, ptr %v141, align 16
  %v143 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v142, i1 false)
  %v144 = load i32, ptr %v128, align 4
  %v145 = insertelement <16 x i32> poison, i32 %v144, i32 0
  %v146 = shufflevector <16 x i32> %v145, <16 x i32> poison, <16 x i32> zeroinitializer
  %v147 = bitcast <16 x i32> %v146 to <64 x i8>
  %v148 = icmp slt <64 x i8> %v142, splat (i8 0)
  %v149 = sub <64 x i8> splat (i8 0), %v147
  %v150 = select <64 x i1> %v148, <64 x i8> %v149, <64 x i8> %v147
  %v151 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v143, <64 x i8> %v150)
  %v152 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v151, <32 x i16> splat (i16 1))
  %v153 = add <16 x i32> zeroinitializer, %v152
  %v154 = mul i64 %v89, 512
  %v155 = getelementptr i8, ptr %v77, i64 %v154
  %v156 = getelementptr i8, ptr %v155, i64 64
  %v157 = mul i64 %v137, 4
  %v158 = getelementptr i8, ptr %v156, i64 %v157
  %v159 = load <64 x i8>, ptr %v158, align 16
  %v160 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v159, i1 false)
  %v161 = getelementptr i8, ptr %v128, i64 4
  %v162 = load i32, ptr %v161, align 4
  %v163 = insertelement <16 x i32> poison, i32 %v162, i32 0
  %v164 = shufflevector <16 x i32> %v163, <16 x i32> poison, <16 x i32> zeroinitializer
  %v165 = bitcast <16 x i32> %v164 to <64 x i8>
  %v166 = icmp slt <64 x i8> %v159, splat (i8 0)
  %v167 = sub <64 x i8> splat (i8 0), %v165
  %v168 = select <64 x i1> %v166, <64 x i8> %v167, <64 x i8> %v165
  %v169 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v160, <64 x i8> %v168)
  %v170 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v169, <32 x i16> splat (i16 1))
  %v171 = add <16 x i32> %v153, %v170
  %v172 = mul i64 %v89, 512
  %v173 = getelementptr i8, ptr %v77, i64 %v172
  %v174 = getelementptr i8, ptr %v173, i64 128
  %v175 = mul i64 %v137, 4
  %v176 = getelementptr i8, ptr %v174, i64 %v175
  %v177 = load <64 x i8>, ptr %v176, align 16
  %v178 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v177, i1 false)
  %v179 = getelementptr i8, ptr %v128, i64 8
  %v180 = load i32, ptr %v179, align 4
  %v181 = insertelement <16 x i32> poison, i32 %v180, i32 0
  %v182 = shufflevector <16 x i32> %v181, <16 x i32> poison, <16 x i32> zeroinitializer
  %v183 = bitcast <16 x i32> %v182 to <64 x i8>
  %v184 = icmp slt <64 x i8> %v177, splat (i8 0)
  %v185 = sub <64 x i8> splat (i8 0), %v183
  %v186 = select <64 x i1> %v184, <64 x i8> %v185, <64 x i8> %v183
  %v187 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v178, <64 x i8> %v186)
  %v188 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v187, <32 x i16> splat (i16 1))
  %v189 = add <16 x i32> %v171, %v188
  %v190 = mul i64 %v89, 512
  %v191 = getelementptr i8, ptr %v77, i64 %v190
  %v192 = getelementptr i8, ptr %v191, i64 192
  %v193 = mul i64 %v137, 4
  %v194 = getelementptr i8, ptr %v192, i64 %v193
  %v195 = load <64 x i8>, ptr %v194, align 16
  %v196 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v195, i1 false)
  %v197 = getelementptr i8, ptr %v128, i64 12
  %v198 = load i32, ptr %v197, align 4
  %v199 = insertelement <16 x i32> poison, i32 %v198, i32 0
  %v200 = shufflevector <16 x i32> %v199, <16 x i32> poison, <16 x i32> zeroinitializer
  %v201 = bitcast <16 x i32> %v200 to <64 x i8>
  %v202 = icmp slt <64 x i8> %v195, splat (i8 0)
  %v203 = sub <64 x i8> splat (i8 0), %v201
  %v204 = select <64 x i1> %v202, <64 x i8> %v203, <64 x i8> %v201
  %v205 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v196, <64 x i8> %v204)
  %v206 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v205, <32 x i16> splat (i16 1))
  %v207 = add <16 x i32> %v189, %v206
  %v208 = mul i64 %v89, 512
  %v209 = getelementptr i8, ptr %v77, i64 %v208
  %v210 = getelementptr i8, ptr %v209, i64 256
  %v211 = mul i64 %v137, 4
  %v212 = getelementptr i8, ptr %v210, i64 %v211
  %v213 = load <64 x i8>, ptr %v212, align 16
  %v214 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v213, i1 false)
  %v215 = getelementptr i8, ptr %v128, i64 16
  %v216 = load i32, ptr %v215, align 4
  %v217 = insertelement <16 x i32> poison, i32 %v216, i32 0
  %v218 = shufflevector <16 x i32> %v217, <16 x i32> poison, <16 x i32> zeroinitializer
  %v219 = bitcast <16 x i32> %v218 to <64 x i8>
  %v220 = icmp slt <64 x i8> %v213, splat (i8 0)
  %v221 = sub <64 x i8> splat (i8 0), %v219
  %v222 = select <64 x i1> %v220, <64 x i8> %v221, <64 x i8> %v219
  %v223 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v214, <64 x i8> %v222)
  %v224 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v223, <32 x i16> splat (i16 1))
  %v225 = add <16 x i32> %v207, %v224
  %v226 = mul i64 %v89, 512
  %v227 = getelementptr i8, ptr %v77, i64 %v226
  %v228 = getelementptr i8, ptr %v227, i64 320
  %v229 = mul i64 %v137, 4
  %v230 = getelementptr i8, ptr %v228, i64 %v229
  %v231 = load <64 x i8>, ptr %v230, align 16
  %v232 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v231, i1 false)
  %v233 = getelementptr i8, ptr %v128, i64 20
  %v234 = load i32, ptr %v233, align 4
  %v235 = insertelement <16 x i32> poison, i32 %v234, i32 0
  %v236 = shufflevector <16 x i32> %v235, <16 x i32> poison, <16 x i32> zeroinitializer
  %v237 = bitcast <16 x i32> %v236 to <64 x i8>
  %v238 = icmp slt <64 x i8> %v231, splat (i8 0)
  %v239 = sub <64 x i8> splat (i8 0), %v237
  %v240 = select <64 x i1> %v238, <64 x i8> %v239, <64 x i8> %v237
  %v241 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v232, <64 x i8> %v240)
  %v242 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v241, <32 x i16> splat (i16 1))
  %v243 = add <16 x i32> %v225, %v242
  %v244 = mul i64 %v89, 512
  %v245 = getelementptr i8, ptr %v77, i64 %v244
  %v246 = getelementptr i8, ptr %v245, i64 384
  %v247 = mul i64 %v137, 4
  %v248 = getelementptr i8, ptr %v246, i64 %v247
  %v249 = load <64 x i8>, ptr %v248, align 16
  %v250 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v249, i1 false)
  %v251 = getelementptr i8, ptr %v128, i64 24
  %v252 = load i32, ptr %v251, align 4
  %v253 = insertelement <16 x i32> poison, i32 %v252, i32 0
  %v254 = shufflevector <16 x i32> %v253, <16 x i32> poison, <16 x i32> zeroinitializer
  %v255 = bitcast <16 x i32> %v254 to <64 x i8>
  %v256 = icmp slt <64 x i8> %v249, splat (i8 0)
  %v257 = sub <64 x i8> splat (i8 0), %v255
  %v258 = select <64 x i1> %v256, <64 x i8> %v257, <64 x i8> %v255
  %v259 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v250, <64 x i8> %v258)
  %v260 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v259, <32 x i16> splat (i16 1))
  %v261 = add <16 x i32> %v243, %v260
  %v262 = mul i64 %v89, 512
  %v263 = getelementptr i8, ptr %v77, i64 %v262
  %v264 = getelementptr i8, ptr %v263, i64 448
  %v265 = mul i64 %v137, 4
  %v266 = getelementptr i8, ptr %v264, i64 %v265
  %v267 = load <64 x i8>, ptr %v266, align 16
  %v268 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v267, i1 false)
  %v269 = getelementptr i8, ptr %v128, i64 28
  %v270 = load i32, ptr %v269, align 4
  %v271 = insertelement <16 x i32> poison, i32 %v270, i32 0
  %v272 = shufflevector <16 x i32> %v271, <16 x i32> poison, <16 x i32> zeroinitializer
  %v273 = bitcast <16 x i32> %v272 to <64 x i8>
  %v274 = icmp slt <64 x i8> %v267, splat (i8 0)
  %v275 = sub <64 x i8> splat (i8 0), %v273
  %v276 = select <64 x i1> %v274, <64 x i8> %v275, <64 x i8> %v273
  %v277 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v268, <64 x i8> %v276)
  %v278 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v277, <32 x i16> splat (i16 1))
  %v279 = add <16 x i32> %v261, %v278
  %v280 = sitofp <16 x i32> %v279 to <16 x float>
  %v281 = load float, ptr %v126, align 4
  %v282 = insertelement <16 x float> poison, float %v281, i32 0
  %v283 = shufflevector <16 x float> %v282, <16 x float> poison, <16 x i32> zeroinitializer
  %v284 = fmul <16 x float> %v136, %v283
  %v285 = load <16 x float>, ptr %c79, align 4
  %v286 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v280, <16 x float> %v284, <16 x float> %v285)
  store <16 x float> %v286, ptr %c79, align 4
  %v287 = add i64 %v89, 1
  store i64 %v287, ptr %c85, align 8
  br label %head87
done89:
  %v288 = load <16 x float>, ptr %c79, align 4
  %v289 = mul i64 %v74, 16
  %v290 = mul i64 0, 16
  %v291 = add i64 %v289, %v290
  %v292 = mul i64 %v291, 4
  %v293 = mul i64 0, %v60
  %v294 = getelementptr i8, ptr %v30, i64 %v293
  %v295 = getelementptr i8, ptr %v294, i64 %v292
  store <16 x float> %v288, ptr %c296, align 4
  %v297 = ptrtoint ptr %v38 to i64
  %v298 = icmp ne i64 %v297, 0
  br i1 %v298, label %then300, label %done301
then300:
  %v301 = load <16 x float>, ptr %c296, align 4
  %v302 = getelementptr i8, ptr %v38, i64 %v292
  %v303 = load <16 x float>, ptr %v302, align 4
  %v304 = fadd <16 x float> %v301, %v303
  store <16 x float> %v304, ptr %c296, align 4
  br label %done301
done301:
  %v305 = icmp eq i64 %v64, 1
  br i1 %v305, label %then307, label %done308
then307:
  %v308 = load <16 x float>, ptr %v295, align 4
  %v309 = load <16 x float>, ptr %c296, align 4
  %v310 = fadd <16 x float> %v308, %v309
  store <16 x float> %v310, ptr %c296, align 4
  br label %done308
done308:
  %v311 = icmp eq i64 %v64, 2
  br i1 %v311, label %then313, label %done314
then313:
  %v314 = load <16 x float>, ptr %v295, align 4
  %v315 = fneg <16 x float> %v314
  %v316 = call <16 x float> @exp_v16f32(<16 x float> %v315)
  %v317 = fadd <16 x float> %v316, splat (float 0x3FF0000000000000)
  %v318 = fdiv <16 x float> %v314, %v317
  %v319 = load <16 x float>, ptr %c296, align 4
  %v320 = fmul <16 x float> %v318, %v319
  store <16 x float> %v320, ptr %c296, align 4
  br label %done314
done314:
  %v321 = load <16 x float>, ptr %c296, align 4
  store <16 x float> %v321, ptr %v295, align 4
  %v322 = add i64 %v74, 1
  store i64 %v322, ptr %c70, align 8
  br label %head72
done74:
  ret void
}
