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
  %c280 = alloca <16 x float>
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
  %v92 = mul i64 %v89, 4
  %v93 = mul i64 %v92, 64
  %v94 = getelementptr i8, ptr %v91, i64 %v93
  call void @llvm.prefetch.p0(ptr %v94, i32 0, i32 3, i32 1)
  %v95 = mul i64 %v89, 4
  %v96 = add i64 %v95, 1
  %v97 = mul i64 %v96, 64
  %v98 = getelementptr i8, ptr %v91, i64 %v97
  call void @llvm.prefetch.p0(ptr %v98, i32 0, i32 3, i32 1)
  %v99 = mul i64 %v89, 4
  %v100 = add i64 %v99, 2
  %v101 = mul i64 %v100, 64
  %v102 = getelementptr i8, ptr %v91, i64 %v101
  call void @llvm.prefetch.p0(ptr %v102, i32 0, i32 3, i32 1)
  %v103 = mul i64 %v89, 4
  %v104 = add i64 %v103, 3
  %v105 = mul i64 %v104, 64
  %v106 = getelementptr i8, ptr %v91, i64 %v105
  call void @llvm.prefetch.p0(ptr %v106, i32 0, i32 3, i32 1)
  %v107 = getelementptr i8, ptr %v78, i64 %v44
  %v108 = mul i64 %v89, 32
  %v109 = getelementptr i8, ptr %v107, i64 %v108
  call void @llvm.prefetch.p0(ptr %v109, i32 0, i32 3, i32 1)
  %v110 = mul i64 %v89, 16
  %v111 = getelementptr i8, ptr %v83, i64 %v110
  %v112 = mul i64 %v89, 32
  %v113 = getelementptr i8, ptr %v81, i64 %v112
  %v114 = mul i64 %v89, 32
  %v115 = mul i64 0, 32
  %v116 = add i64 %v114, %v115
  %v117 = getelementptr i8, ptr %v78, i64 %v116
  %v118 = load <16 x i16>, ptr %v117, align 2
  %v119 = bitcast <16 x i16> %v118 to <16 x half>
  %v120 = fpext <16 x half> %v119 to <16 x float>
  %v121 = mul i64 0, 16
  %v122 = mul i64 %v89, 512
  %v123 = getelementptr i8, ptr %v77, i64 %v122
  %v124 = mul i64 %v121, 4
  %v125 = getelementptr i8, ptr %v123, i64 %v124
  %v126 = load <64 x i8>, ptr %v125, align 16
  %v127 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v126, i1 false)
  %v128 = load i32, ptr %v113, align 4
  %v129 = insertelement <16 x i32> poison, i32 %v128, i32 0
  %v130 = shufflevector <16 x i32> %v129, <16 x i32> poison, <16 x i32> zeroinitializer
  %v131 = bitcast <16 x i32> %v130 to <64 x i8>
  %v132 = icmp slt <64 x i8> %v126, splat (i8 0)
  %v133 = sub <64 x i8> splat (i8 0), %v131
  %v134 = select <64 x i1> %v132, <64 x i8> %v133, <64 x i8> %v131
  %v135 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v127, <64 x i8> %v134)
  %v136 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v135, <32 x i16> splat (i16 1))
  %v137 = add <16 x i32> zeroinitializer, %v136
  %v138 = mul i64 %v89, 512
  %v139 = getelementptr i8, ptr %v77, i64 %v138
  %v140 = getelementptr i8, ptr %v139, i64 64
  %v141 = mul i64 %v121, 4
  %v142 = getelementptr i8, ptr %v140, i64 %v141
  %v143 = load <64 x i8>, ptr %v142, align 16
  %v144 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v143, i1 false)
  %v145 = getelementptr i8, ptr %v113, i64 4
  %v146 = load i32, ptr %v145, align 4
  %v147 = insertelement <16 x i32> poison, i32 %v146, i32 0
  %v148 = shufflevector <16 x i32> %v147, <16 x i32> poison, <16 x i32> zeroinitializer
  %v149 = bitcast <16 x i32> %v148 to <64 x i8>
  %v150 = icmp slt <64 x i8> %v143, splat (i8 0)
  %v151 = sub <64 x i8> splat (i8 0), %v149
  %v152 = select <64 x i1> %v150, <64 x i8> %v151, <64 x i8> %v149
  %v153 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v144, <64 x i8> %v152)
  %v154 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v153, <32 x i16> splat (i16 1))
  %v155 = add <16 x i32> %v137, %v154
  %v156 = mul i64 %v89, 512
  %v157 = getelementptr i8, ptr %v77, i64 %v156
  %v158 = getelementptr i8, ptr %v157, i64 128
  %v159 = mul i64 %v121, 4
  %v160 = getelementptr i8, ptr %v158, i64 %v159
  %v161 = load <64 x i8>, ptr %v160, align 16
  %v162 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v161, i1 false)
  %v163 = getelementptr i8, ptr %v113, i64 8
  %v164 = load i32, ptr %v163, align 4
  %v165 = insertelement <16 x i32> poison, i32 %v164, i32 0
  %v166 = shufflevector <16 x i32> %v165, <16 x i32> poison, <16 x i32> zeroinitializer
  %v167 = bitcast <16 x i32> %v166 to <64 x i8>
  %v168 = icmp slt <64 x i8> %v161, splat (i8 0)
  %v169 = sub <64 x i8> splat (i8 0), %v167
  %v170 = select <64 x i1> %v168, <64 x i8> %v169, <64 x i8> %v167
  %v171 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v162, <64 x i8> %v170)
  %v172 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v171, <32 x i16> splat (i16 1))
  %v173 = add <16 x i32> %v155, %v172
  %v174 = mul i64 %v89, 512
  %v175 = getelementptr i8, ptr %v77, i64 %v174
  %v176 = getelementptr i8, ptr %v175, i64 192
  %v177 = mul i64 %v121, 4
  %v178 = getelementptr i8, ptr %v176, i64 %v177
  %v179 = load <64 x i8>, ptr %v178, align 16
  %v180 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v179, i1 false)
  %v181 = getelementptr i8, ptr %v113, i64 12
  %v182 = load i32, ptr %v181, align 4
  %v183 = insertelement <16 x i32> poison, i32 %v182, i32 0
  %v184 = shufflevector <16 x i32> %v183, <16 x i32> poison, <16 x i32> zeroinitializer
  %v185 = bitcast <16 x i32> %v184 to <64 x i8>
  %v186 = icmp slt <64 x i8> %v179, splat (i8 0)
  %v187 = sub <64 x i8> splat (i8 0), %v185
  %v188 = select <64 x i1> %v186, <64 x i8> %v187, <64 x i8> %v185
  %v189 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v180, <64 x i8> %v188)
  %v190 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v189, <32 x i16> splat (i16 1))
  %v191 = add <16 x i32> %v173, %v190
  %v192 = mul i64 %v89, 512
  %v193 = getelementptr i8, ptr %v77, i64 %v192
  %v194 = getelementptr i8, ptr %v193, i64 256
  %v195 = mul i64 %v121, 4
  %v196 = getelementptr i8, ptr %v194, i64 %v195
  %v197 = load <64 x i8>, ptr %v196, align 16
  %v198 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v197, i1 false)
  %v199 = getelementptr i8, ptr %v113, i64 16
  %v200 = load i32, ptr %v199, align 4
  %v201 = insertelement <16 x i32> poison, i32 %v200, i32 0
  %v202 = shufflevector <16 x i32> %v201, <16 x i32> poison, <16 x i32> zeroinitializer
  %v203 = bitcast <16 x i32> %v202 to <64 x i8>
  %v204 = icmp slt <64 x i8> %v197, splat (i8 0)
  %v205 = sub <64 x i8> splat (i8 0), %v203
  %v206 = select <64 x i1> %v204, <64 x i8> %v205, <64 x i8> %v203
  %v207 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v198, <64 x i8> %v206)
  %v208 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v207, <32 x i16> splat (i16 1))
  %v209 = add <16 x i32> %v191, %v208
  %v210 = mul i64 %v89, 512
  %v211 = getelementptr i8, ptr %v77, i64 %v210
  %v212 = getelementptr i8, ptr %v211, i64 320
  %v213 = mul i64 %v121, 4
  %v214 = getelementptr i8, ptr %v212, i64 %v213
  %v215 = load <64 x i8>, ptr %v214, align 16
  %v216 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v215, i1 false)
  %v217 = getelementptr i8, ptr %v113, i64 20
  %v218 = load i32, ptr %v217, align 4
  %v219 = insertelement <16 x i32> poison, i32 %v218, i32 0
  %v220 = shufflevector <16 x i32> %v219, <16 x i32> poison, <16 x i32> zeroinitializer
  %v221 = bitcast <16 x i32> %v220 to <64 x i8>
  %v222 = icmp slt <64 x i8> %v215, splat (i8 0)
  %v223 = sub <64 x i8> splat (i8 0), %v221
  %v224 = select <64 x i1> %v222, <64 x i8> %v223, <64 x i8> %v221
  %v225 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v216, <64 x i8> %v224)
  %v226 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v225, <32 x i16> splat (i16 1))
  %v227 = add <16 x i32> %v209, %v226
  %v228 = mul i64 %v89, 512
  %v229 = getelementptr i8, ptr %v77, i64 %v228
  %v230 = getelementptr i8, ptr %v229, i64 384
  %v231 = mul i64 %v121, 4
  %v232 = getelementptr i8, ptr %v230, i64 %v231
  %v233 = load <64 x i8>, ptr %v232, align 16
  %v234 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v233, i1 false)
  %v235 = getelementptr i8, ptr %v113, i64 24
  %v236 = load i32, ptr %v235, align 4
  %v237 = insertelement <16 x i32> poison, i32 %v236, i32 0
  %v238 = shufflevector <16 x i32> %v237, <16 x i32> poison, <16 x i32> zeroinitializer
  %v239 = bitcast <16 x i32> %v238 to <64 x i8>
  %v240 = icmp slt <64 x i8> %v233, splat (i8 0)
  %v241 = sub <64 x i8> splat (i8 0), %v239
  %v242 = select <64 x i1> %v240, <64 x i8> %v241, <64 x i8> %v239
  %v243 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v234, <64 x i8> %v242)
  %v244 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v243, <32 x i16> splat (i16 1))
  %v245 = add <16 x i32> %v227, %v244
  %v246 = mul i64 %v89, 512
  %v247 = getelementptr i8, ptr %v77, i64 %v246
  %v248 = getelementptr i8, ptr %v247, i64 448
  %v249 = mul i64 %v121, 4
  %v250 = getelementptr i8, ptr %v248, i64 %v249
  %v251 = load <64 x i8>, ptr %v250, align 16
  %v252 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v251, i1 false)
  %v253 = getelementptr i8, ptr %v113, i64 28
  %v254 = load i32, ptr %v253, align 4
  %v255 = insertelement <16 x i32> poison, i32 %v254, i32 0
  %v256 = shufflevector <16 x i32> %v255, <16 x i32> poison, <16 x i32> zeroinitializer
  %v257 = bitcast <16 x i32> %v256 to <64 x i8>
  %v258 = icmp slt <64 x i8> %v251, splat (i8 0)
  %v259 = sub <64 x i8> splat (i8 0), %v257
  %v260 = select <64 x i1> %v258, <64 x i8> %v259, <64 x i8> %v257
  %v261 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v252, <64 x i8> %v260)
  %v262 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v261, <32 x i16> splat (i16 1))
  %v263 = add <16 x i32> %v245, %v262
  %v264 = sitofp <16 x i32> %v263 to <16 x float>
  %v265 = load float, ptr %v111, align 4
  %v266 = insertelement <16 x float> poison, float %v265, i32 0
  %v267 = shufflevector <16 x float> %v266, <16 x float> poison, <16 x i32> zeroinitializer
  %v268 = fmul <16 x float> %v120, %v267
  %v269 = load <16 x float>, ptr %c79, align 4
  %v270 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v264, <16 x float> %v268, <16 x float> %v269)
  store <16 x float> %v270, ptr %c79, align 4
  %v271 = add i64 %v89, 1
  store i64 %v271, ptr %c85, align 8
  br label %head87
done89:
  %v272 = load <16 x float>, ptr %c79, align 4
  %v273 = mul i64 %v74, 16
  %v274 = mul i64 0, 16
  %v275 = add i64 %v273, %v274
  %v276 = mul i64 %v275, 4
  %v277 = mul i64 0, %v60
  %v278 = getelementptr i8, ptr %v30, i64 %v277
  %v279 = getelementptr i8, ptr %v278, i64 %v276
  store <16 x float> %v272, ptr %c280, align 4
  %v281 = ptrtoint ptr %v38 to i64
  %v282 = icmp ne i64 %v281, 0
  br i1 %v282, label %then284, label %done285
then284:
  %v285 = load <16 x float>, ptr %c280, align 4
  %v286 = getelementptr i8, ptr %v38, i64 %v276
  %v287 = load <16 x float>, ptr %v286, align 4
  %v288 = fadd <16 x float> %v285, %v287
  store <16 x float> %v288, ptr %c280, align 4
  br label %done285
done285:
  %v289 = icmp eq i64 %v64, 1
  br i1 %v289, label %then291, label %done292
then291:
  %v292 = load <16 x float>, ptr %v279, align 4
  %v293 = load <16 x float>, ptr %c280, align 4
  %v294 = fadd <16 x float> %v292, %v293
  store <16 x float> %v294, ptr %c280, align 4
  br label %done292
done292:
  %v295 = icmp eq i64 %v64, 2
  br i1 %v295, label %then297, label %done298
then297:
  %v298 = load <16 x float>, ptr %v279, align 4
  %v299 = fneg <16 x float> %v298
  %v300 = call <16 x float> @exp_v16f32(<16 x float> %v299)
  %v301 = fadd <16 x float> %v300, splat (float 0x3FF0000000000000)
  %v302 = fdiv <16 x float> %v298, %v301
  %v303 = load <16 x float>, ptr %c280, align 4
  %v304 = fmul <16 x float> %v302, %v303
  store <16 x float> %v304, ptr %c280, align 4
  br label %done298
done298:
  %v305 = load <16 x float>, ptr %c280, align 4
  store <16 x float> %v305, ptr %v279, align 4
  %v306 = add i64 %v74, 1
  store i64 %v306, ptr %c70, align 8
  br label %head72
done74:
  ret void
}
