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
  %c295 = alloca <16 x float>
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
  %v129 = mul i64 %v89, 32
  %v130 = mul i64 0, 32
  %v131 = add i64 %v129, %v130
  %v132 = getelementptr i8, ptr %v78, i64 %v131
  %v133 = load <16 x i16>, ptr %v132, align 2
  %v134 = bitcast <16 x i16> %v133 to <16 x half>
  %v135 = fpext <16 x half> %v134 to <16 x float>
  %v136 = mul i64 0, 16
  %v137 = mul i64 %v89, 512
  %v138 = getelementptr i8, ptr %v77, i64 %v137
  %v139 = mul i64 %v136, 4
  %v140 = getelementptr i8, ptr %v138, i64 %v139
  %v141 = load <64 x i8>, ptr %v140, align 16
  %v142 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v141, i1 false)
  %v143 = load i32, ptr %v128, align 4
  %v144 = insertelement <16 x i32> poison, i32 %v143, i32 0
  %v145 = shufflevector <16 x i32> %v144, <16 x i32> poison, <16 x i32> zeroinitializer
  %v146 = bitcast <16 x i32> %v145 to <64 x i8>
  %v147 = icmp slt <64 x i8> %v141, splat (i8 0)
  %v148 = sub <64 x i8> splat (i8 0), %v146
  %v149 = select <64 x i1> %v147, <64 x i8> %v148, <64 x i8> %v146
  %v150 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v142, <64 x i8> %v149)
  %v151 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v150, <32 x i16> splat (i16 1))
  %v152 = add <16 x i32> zeroinitializer, %v151
  %v153 = mul i64 %v89, 512
  %v154 = getelementptr i8, ptr %v77, i64 %v153
  %v155 = getelementptr i8, ptr %v154, i64 64
  %v156 = mul i64 %v136, 4
  %v157 = getelementptr i8, ptr %v155, i64 %v156
  %v158 = load <64 x i8>, ptr %v157, align 16
  %v159 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v158, i1 false)
  %v160 = getelementptr i8, ptr %v128, i64 4
  %v161 = load i32, ptr %v160, align 4
  %v162 = insertelement <16 x i32> poison, i32 %v161, i32 0
  %v163 = shufflevector <16 x i32> %v162, <16 x i32> poison, <16 x i32> zeroinitializer
  %v164 = bitcast <16 x i32> %v163 to <64 x i8>
  %v165 = icmp slt <64 x i8> %v158, splat (i8 0)
  %v166 = sub <64 x i8> splat (i8 0), %v164
  %v167 = select <64 x i1> %v165, <64 x i8> %v166, <64 x i8> %v164
  %v168 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v159, <64 x i8> %v167)
  %v169 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v168, <32 x i16> splat (i16 1))
  %v170 = add <16 x i32> %v152, %v169
  %v171 = mul i64 %v89, 512
  %v172 = getelementptr i8, ptr %v77, i64 %v171
  %v173 = getelementptr i8, ptr %v172, i64 128
  %v174 = mul i64 %v136, 4
  %v175 = getelementptr i8, ptr %v173, i64 %v174
  %v176 = load <64 x i8>, ptr %v175, align 16
  %v177 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v176, i1 false)
  %v178 = getelementptr i8, ptr %v128, i64 8
  %v179 = load i32, ptr %v178, align 4
  %v180 = insertelement <16 x i32> poison, i32 %v179, i32 0
  %v181 = shufflevector <16 x i32> %v180, <16 x i32> poison, <16 x i32> zeroinitializer
  %v182 = bitcast <16 x i32> %v181 to <64 x i8>
  %v183 = icmp slt <64 x i8> %v176, splat (i8 0)
  %v184 = sub <64 x i8> splat (i8 0), %v182
  %v185 = select <64 x i1> %v183, <64 x i8> %v184, <64 x i8> %v182
  %v186 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v177, <64 x i8> %v185)
  %v187 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v186, <32 x i16> splat (i16 1))
  %v188 = add <16 x i32> %v170, %v187
  %v189 = mul i64 %v89, 512
  %v190 = getelementptr i8, ptr %v77, i64 %v189
  %v191 = getelementptr i8, ptr %v190, i64 192
  %v192 = mul i64 %v136, 4
  %v193 = getelementptr i8, ptr %v191, i64 %v192
  %v194 = load <64 x i8>, ptr %v193, align 16
  %v195 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v194, i1 false)
  %v196 = getelementptr i8, ptr %v128, i64 12
  %v197 = load i32, ptr %v196, align 4
  %v198 = insertelement <16 x i32> poison, i32 %v197, i32 0
  %v199 = shufflevector <16 x i32> %v198, <16 x i32> poison, <16 x i32> zeroinitializer
  %v200 = bitcast <16 x i32> %v199 to <64 x i8>
  %v201 = icmp slt <64 x i8> %v194, splat (i8 0)
  %v202 = sub <64 x i8> splat (i8 0), %v200
  %v203 = select <64 x i1> %v201, <64 x i8> %v202, <64 x i8> %v200
  %v204 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v195, <64 x i8> %v203)
  %v205 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v204, <32 x i16> splat (i16 1))
  %v206 = add <16 x i32> %v188, %v205
  %v207 = mul i64 %v89, 512
  %v208 = getelementptr i8, ptr %v77, i64 %v207
  %v209 = getelementptr i8, ptr %v208, i64 256
  %v210 = mul i64 %v136, 4
  %v211 = getelementptr i8, ptr %v209, i64 %v210
  %v212 = load <64 x i8>, ptr %v211, align 16
  %v213 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v212, i1 false)
  %v214 = getelementptr i8, ptr %v128, i64 16
  %v215 = load i32, ptr %v214, align 4
  %v216 = insertelement <16 x i32> poison, i32 %v215, i32 0
  %v217 = shufflevector <16 x i32> %v216, <16 x i32> poison, <16 x i32> zeroinitializer
  %v218 = bitcast <16 x i32> %v217 to <64 x i8>
  %v219 = icmp slt <64 x i8> %v212, splat (i8 0)
  %v220 = sub <64 x i8> splat (i8 0), %v218
  %v221 = select <64 x i1> %v219, <64 x i8> %v220, <64 x i8> %v218
  %v222 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v213, <64 x i8> %v221)
  %v223 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v222, <32 x i16> splat (i16 1))
  %v224 = add <16 x i32> %v206, %v223
  %v225 = mul i64 %v89, 512
  %v226 = getelementptr i8, ptr %v77, i64 %v225
  %v227 = getelementptr i8, ptr %v226, i64 320
  %v228 = mul i64 %v136, 4
  %v229 = getelementptr i8, ptr %v227, i64 %v228
  %v230 = load <64 x i8>, ptr %v229, align 16
  %v231 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v230, i1 false)
  %v232 = getelementptr i8, ptr %v128, i64 20
  %v233 = load i32, ptr %v232, align 4
  %v234 = insertelement <16 x i32> poison, i32 %v233, i32 0
  %v235 = shufflevector <16 x i32> %v234, <16 x i32> poison, <16 x i32> zeroinitializer
  %v236 = bitcast <16 x i32> %v235 to <64 x i8>
  %v237 = icmp slt <64 x i8> %v230, splat (i8 0)
  %v238 = sub <64 x i8> splat (i8 0), %v236
  %v239 = select <64 x i1> %v237, <64 x i8> %v238, <64 x i8> %v236
  %v240 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v231, <64 x i8> %v239)
  %v241 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v240, <32 x i16> splat (i16 1))
  %v242 = add <16 x i32> %v224, %v241
  %v243 = mul i64 %v89, 512
  %v244 = getelementptr i8, ptr %v77, i64 %v243
  %v245 = getelementptr i8, ptr %v244, i64 384
  %v246 = mul i64 %v136, 4
  %v247 = getelementptr i8, ptr %v245, i64 %v246
  %v248 = load <64 x i8>, ptr %v247, align 16
  %v249 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v248, i1 false)
  %v250 = getelementptr i8, ptr %v128, i64 24
  %v251 = load i32, ptr %v250, align 4
  %v252 = insertelement <16 x i32> poison, i32 %v251, i32 0
  %v253 = shufflevector <16 x i32> %v252, <16 x i32> poison, <16 x i32> zeroinitializer
  %v254 = bitcast <16 x i32> %v253 to <64 x i8>
  %v255 = icmp slt <64 x i8> %v248, splat (i8 0)
  %v256 = sub <64 x i8> splat (i8 0), %v254
  %v257 = select <64 x i1> %v255, <64 x i8> %v256, <64 x i8> %v254
  %v258 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v249, <64 x i8> %v257)
  %v259 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v258, <32 x i16> splat (i16 1))
  %v260 = add <16 x i32> %v242, %v259
  %v261 = mul i64 %v89, 512
  %v262 = getelementptr i8, ptr %v77, i64 %v261
  %v263 = getelementptr i8, ptr %v262, i64 448
  %v264 = mul i64 %v136, 4
  %v265 = getelementptr i8, ptr %v263, i64 %v264
  %v266 = load <64 x i8>, ptr %v265, align 16
  %v267 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v266, i1 false)
  %v268 = getelementptr i8, ptr %v128, i64 28
  %v269 = load i32, ptr %v268, align 4
  %v270 = insertelement <16 x i32> poison, i32 %v269, i32 0
  %v271 = shufflevector <16 x i32> %v270, <16 x i32> poison, <16 x i32> zeroinitializer
  %v272 = bitcast <16 x i32> %v271 to <64 x i8>
  %v273 = icmp slt <64 x i8> %v266, splat (i8 0)
  %v274 = sub <64 x i8> splat (i8 0), %v272
  %v275 = select <64 x i1> %v273, <64 x i8> %v274, <64 x i8> %v272
  %v276 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v267, <64 x i8> %v275)
  %v277 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v276, <32 x i16> splat (i16 1))
  %v278 = add <16 x i32> %v260, %v277
  %v279 = sitofp <16 x i32> %v278 to <16 x float>
  %v280 = load float, ptr %v126, align 4
  %v281 = insertelement <16 x float> poison, float %v280, i32 0
  %v282 = shufflevector <16 x float> %v281, <16 x float> poison, <16 x i32> zeroinitializer
  %v283 = fmul <16 x float> %v135, %v282
  %v284 = load <16 x float>, ptr %c79, align 4
  %v285 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v279, <16 x float> %v283, <16 x float> %v284)
  store <16 x float> %v285, ptr %c79, align 4
  %v286 = add i64 %v89, 1
  store i64 %v286, ptr %c85, align 8
  br label %head87
done89:
  %v287 = load <16 x float>, ptr %c79, align 4
  %v288 = mul i64 %v74, 16
  %v289 = mul i64 0, 16
  %v290 = add i64 %v288, %v289
  %v291 = mul i64 %v290, 4
  %v292 = mul i64 0, %v60
  %v293 = getelementptr i8, ptr %v30, i64 %v292
  %v294 = getelementptr i8, ptr %v293, i64 %v291
  store <16 x float> %v287, ptr %c295, align 4
  %v296 = ptrtoint ptr %v38 to i64
  %v297 = icmp ne i64 %v296, 0
  br i1 %v297, label %then299, label %done300
then299:
  %v300 = load <16 x float>, ptr %c295, align 4
  %v301 = getelementptr i8, ptr %v38, i64 %v291
  %v302 = load <16 x float>, ptr %v301, align 4
  %v303 = fadd <16 x float> %v300, %v302
  store <16 x float> %v303, ptr %c295, align 4
  br label %done300
done300:
  %v304 = icmp eq i64 %v64, 1
  br i1 %v304, label %then306, label %done307
then306:
  %v307 = load <16 x float>, ptr %v294, align 4
  %v308 = load <16 x float>, ptr %c295, align 4
  %v309 = fadd <16 x float> %v307, %v308
  store <16 x float> %v309, ptr %c295, align 4
  br label %done307
done307:
  %v310 = icmp eq i64 %v64, 2
  br i1 %v310, label %then312, label %done313
then312:
  %v313 = load <16 x float>, ptr %v294, align 4
  %v314 = fneg <16 x float> %v313
  %v315 = call <16 x float> @exp_v16f32(<16 x float> %v314)
  %v316 = fadd <16 x float> %v315, splat (float 0x3FF0000000000000)
  %v317 = fdiv <16 x float> %v313, %v316
  %v318 = load <16 x float>, ptr %c295, align 4
  %v319 = fmul <16 x float> %v317, %v318
  store <16 x float> %v319, ptr %c295, align 4
  br label %done313
done313:
  %v320 = load <16 x float>, ptr %c295, align 4
  store <16 x float> %v320, ptr %v294, align 4
  %v321 = add i64 %v74, 1
  store i64 %v321, ptr %c70, align 8
  br label %head72
done74:
  ret void
}
