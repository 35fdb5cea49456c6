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
  %c89 = alloca i64
  %c301 = alloca <16 x float>
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
  %v85 = sdiv i64 31, %v84
  %v86 = mul i64 %v85, %v44
  %v87 = srem i64 31, %v84
  %v88 = sdiv i64 %v40, 32
  store i64 0, ptr %c89, align 8
  br label %head91
head91:
  %v93 = load i64, ptr %c89, align 8
  %v94 = icmp slt i64 %v93, %v88
  br i1 %v94, label %body92, label %done93
body92:
  %v95 = add i64 %v93, %v87
  %v96 = icmp sge i64 %v95, %v84
  %v97 = select i1 %v96, i64 %v44, i64 0
  %v98 = add i64 %v86, %v97
  %v99 = select i1 %v96, i64 %v84, i64 0
  %v100 = sub i64 %v95, %v99
  %v101 = getelementptr i8, ptr %v77, i64 %v98
  %v102 = mul i64 %v100, 512
  %v103 = getelementptr i8, ptr %v101, i64 %v102
  %v104 = getelementptr i8, ptr %v78, i64 %v98
  %v105 = mul i64 %v100, 32
  %v106 = getelementptr i8, ptr %v104, i64 %v105
  call void @llvm.prefetch.p0(ptr %v106, i32 0, i32 2, i32 1)
  %v107 = mul i64 0, 512
  %v108 = getelementptr i8, ptr %v103, i64 %v107
  call void @llvm.prefetch.p0(ptr %v108, i32 0, i32 2, i32 1)
  %v109 = mul i64 0, 512
  %v110 = getelementptr i8, ptr %v103, i64 %v109
  %v111 = getelementptr i8, ptr %v110, i64 64
  call void @llvm.prefetch.p0(ptr %v111, i32 0, i32 2, i32 1)
  %v112 = mul i64 0, 512
  %v113 = getelementptr i8, ptr %v103, i64 %v112
  %v114 = getelementptr i8, ptr %v113, i64 128
  call void @llvm.prefetch.p0(ptr %v114, i32 0, i32 2, i32 1)
  %v115 = mul i64 0, 512
  %v116 = getelementptr i8, ptr %v103, i64 %v115
  %v117 = getelementptr i8, ptr %v116, i64 192
  call void @llvm.prefetch.p0(ptr %v117, i32 0, i32 2, i32 1)
  %v118 = mul i64 0, 512
  %v119 = getelementptr i8, ptr %v103, i64 %v118
  %v120 = getelementptr i8, ptr %v119, i64 256
  call void @llvm.prefetch.p0(ptr %v120, i32 0, i32 2, i32 1)
  %v121 = mul i64 0, 512
  %v122 = getelementptr i8, ptr %v103, i64 %v121
  %v123 = getelementptr i8, ptr %v122, i64 320
  call void @llvm.prefetch.p0(ptr %v123, i32 0, i32 2, i32 1)
  %v124 = mul i64 0, 512
  %v125 = getelementptr i8, ptr %v103, i64 %v124
  %v126 = getelementptr i8, ptr %v125, i64 384
  call void @llvm.prefetch.p0(ptr %v126, i32 0, i32 2, i32 1)
  %v127 = mul i64 0, 512
  %v128 = getelementptr i8, ptr %v103, i64 %v127
  %v129 = getelementptr i8, ptr %v128, i64 448
  call void @llvm.prefetch.p0(ptr %v129, i32 0, i32 2, i32 1)
  %v130 = mul i64 %v93, 16
  %v131 = getelementptr i8, ptr %v83, i64 %v130
  %v132 = mul i64 %v93, 32
  %v133 = getelementptr i8, ptr %v81, i64 %v132
  %v134 = mul i64 0, 16
  %v135 = mul i64 %v93, 32
  %v136 = getelementptr i8, ptr %v78, i64 %v135
  %v137 = mul i64 %v134, 2
  %v138 = getelementptr i8, ptr %v136, i64 %v137
  %v139 = load <16 x i16>, ptr %v138, align 2
  %v140 = bitcast <16 x i16> %v139 to <16 x half>
  %v141 = fpext <16 x half> %v140 to <16 x float>
  %v142 = mul i64 0, 16
  %v143 = mul i64 %v93, 512
  %v144 = getelementptr i8, ptr %v77, i64 %v143
  %v145 = mul i64 %v142, 4
  %v146 = getelementptr i8, ptr %v144, i64 %v145
  %v147 = load <64 x i8>, ptr %v146, align 16
  %v148 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v147, i1 false)
  %v149 = load i32, ptr %v133, align 4
  %v150 = insertelement <16 x i32> poison, i32 %v149, i32 0
  %v151 = shufflevector <16 x i32> %v150, <16 x i32> poison, <16 x i32> zeroinitializer
  %v152 = bitcast <16 x i32> %v151 to <64 x i8>
  %v153 = icmp slt <64 x i8> %v147, splat (i8 0)
  %v154 = sub <64 x i8> splat (i8 0), %v152
  %v155 = select <64 x i1> %v153, <64 x i8> %v154, <64 x i8> %v152
  %v156 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v148, <64 x i8> %v155)
  %v157 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v156, <32 x i16> splat (i16 1))
  %v158 = add <16 x i32> zeroinitializer, %v157
  %v159 = mul i64 %v93, 512
  %v160 = getelementptr i8, ptr %v77, i64 %v159
  %v161 = getelementptr i8, ptr %v160, i64 64
  %v162 = mul i64 %v142, 4
  %v163 = getelementptr i8, ptr %v161, i64 %v162
  %v164 = load <64 x i8>, ptr %v163, align 16
  %v165 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v164, i1 false)
  %v166 = getelementptr i8, ptr %v133, i64 4
  %v167 = load i32, ptr %v166, align 4
  %v168 = insertelement <16 x i32> poison, i32 %v167, i32 0
  %v169 = shufflevector <16 x i32> %v168, <16 x i32> poison, <16 x i32> zeroinitializer
  %v170 = bitcast <16 x i32> %v169 to <64 x i8>
  %v171 = icmp slt <64 x i8> %v164, splat (i8 0)
  %v172 = sub <64 x i8> splat (i8 0), %v170
  %v173 = select <64 x i1> %v171, <64 x i8> %v172, <64 x i8> %v170
  %v174 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v165, <64 x i8> %v173)
  %v175 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v174, <32 x i16> splat (i16 1))
  %v176 = add <16 x i32> %v158, %v175
  %v177 = mul i64 %v93, 512
  %v178 = getelementptr i8, ptr %v77, i64 %v177
  %v179 = getelementptr i8, ptr %v178, i64 128
  %v180 = mul i64 %v142, 4
  %v181 = getelementptr i8, ptr %v179, i64 %v180
  %v182 = load <64 x i8>, ptr %v181, align 16
  %v183 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v182, i1 false)
  %v184 = getelementptr i8, ptr %v133, i64 8
  %v185 = load i32, ptr %v184, align 4
  %v186 = insertelement <16 x i32> poison, i32 %v185, i32 0
  %v187 = shufflevector <16 x i32> %v186, <16 x i32> poison, <16 x i32> zeroinitializer
  %v188 = bitcast <16 x i32> %v187 to <64 x i8>
  %v189 = icmp slt <64 x i8> %v182, splat (i8 0)
  %v190 = sub <64 x i8> splat (i8 0), %v188
  %v191 = select <64 x i1> %v189, <64 x i8> %v190, <64 x i8> %v188
  %v192 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v183, <64 x i8> %v191)
  %v193 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v192, <32 x i16> splat (i16 1))
  %v194 = add <16 x i32> %v176, %v193
  %v195 = mul i64 %v93, 512
  %v196 = getelementptr i8, ptr %v77, i64 %v195
  %v197 = getelementptr i8, ptr %v196, i64 192
  %v198 = mul i64 %v142, 4
  %v199 = getelementptr i8, ptr %v197, i64 %v198
  %v200 = load <64 x i8>, ptr %v199, align 16
  %v201 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v200, i1 false)
  %v202 = getelementptr i8, ptr %v133, i64 12
  %v203 = load i32, ptr %v202, align 4
  %v204 = insertelement <16 x i32> poison, i32 %v203, i32 0
  %v205 = shufflevector <16 x i32> %v204, <16 x i32> poison, <16 x i32> zeroinitializer
  %v206 = bitcast <16 x i32> %v205 to <64 x i8>
  %v207 = icmp slt <64 x i8> %v200, splat (i8 0)
  %v208 = sub <64 x i8> splat (i8 0), %v206
  %v209 = select <64 x i1> %v207, <64 x i8> %v208, <64 x i8> %v206
  %v210 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v201, <64 x i8> %v209)
  %v211 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v210, <32 x i16> splat (i16 1))
  %v212 = add <16 x i32> %v194, %v211
  %v213 = mul i64 %v93, 512
  %v214 = getelementptr i8, ptr %v77, i64 %v213
  %v215 = getelementptr i8, ptr %v214, i64 256
  %v216 = mul i64 %v142, 4
  %v217 = getelementptr i8, ptr %v215, i64 %v216
  %v218 = load <64 x i8>, ptr %v217, align 16
  %v219 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v218, i1 false)
  %v220 = getelementptr i8, ptr %v133, i64 16
  %v221 = load i32, ptr %v220, align 4
  %v222 = insertelement <16 x i32> poison, i32 %v221, i32 0
  %v223 = shufflevector <16 x i32> %v222, <16 x i32> poison, <16 x i32> zeroinitializer
  %v224 = bitcast <16 x i32> %v223 to <64 x i8>
  %v225 = icmp slt <64 x i8> %v218, splat (i8 0)
  %v226 = sub <64 x i8> splat (i8 0), %v224
  %v227 = select <64 x i1> %v225, <64 x i8> %v226, <64 x i8> %v224
  %v228 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v219, <64 x i8> %v227)
  %v229 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v228, <32 x i16> splat (i16 1))
  %v230 = add <16 x i32> %v212, %v229
  %v231 = mul i64 %v93, 512
  %v232 = getelementptr i8, ptr %v77, i64 %v231
  %v233 = getelementptr i8, ptr %v232, i64 320
  %v234 = mul i64 %v142, 4
  %v235 = getelementptr i8, ptr %v233, i64 %v234
  %v236 = load <64 x i8>, ptr %v235, align 16
  %v237 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v236, i1 false)
  %v238 = getelementptr i8, ptr %v133, i64 20
  %v239 = load i32, ptr %v238, align 4
  %v240 = insertelement <16 x i32> poison, i32 %v239, i32 0
  %v241 = shufflevector <16 x i32> %v240, <16 x i32> poison, <16 x i32> zeroinitializer
  %v242 = bitcast <16 x i32> %v241 to <64 x i8>
  %v243 = icmp slt <64 x i8> %v236, splat (i8 0)
  %v244 = sub <64 x i8> splat (i8 0), %v242
  %v245 = select <64 x i1> %v243, <64 x i8> %v244, <64 x i8> %v242
  %v246 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v237, <64 x i8> %v245)
  %v247 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v246, <32 x i16> splat (i16 1))
  %v248 = add <16 x i32> %v230, %v247
  %v249 = mul i64 %v93, 512
  %v250 = getelementptr i8, ptr %v77, i64 %v249
  %v251 = getelementptr i8, ptr %v250, i64 384
  %v252 = mul i64 %v142, 4
  %v253 = getelementptr i8, ptr %v251, i64 %v252
  %v254 = load <64 x i8>, ptr %v253, align 16
  %v255 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v254, i1 false)
  %v256 = getelementptr i8, ptr %v133, i64 24
  %v257 = load i32, ptr %v256, align 4
  %v258 = insertelement <16 x i32> poison, i32 %v257, i32 0
  %v259 = shufflevector <16 x i32> %v258, <16 x i32> poison, <16 x i32> zeroinitializer
  %v260 = bitcast <16 x i32> %v259 to <64 x i8>
  %v261 = icmp slt <64 x i8> %v254, splat (i8 0)
  %v262 = sub <64 x i8> splat (i8 0), %v260
  %v263 = select <64 x i1> %v261, <64 x i8> %v262, <64 x i8> %v260
  %v264 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v255, <64 x i8> %v263)
  %v265 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v264, <32 x i16> splat (i16 1))
  %v266 = add <16 x i32> %v248, %v265
  %v267 = mul i64 %v93, 512
  %v268 = getelementptr i8, ptr %v77, i64 %v267
  %v269 = getelementptr i8, ptr %v268, i64 448
  %v270 = mul i64 %v142, 4
  %v271 = getelementptr i8, ptr %v269, i64 %v270
  %v272 = load <64 x i8>, ptr %v271, align 16
  %v273 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v272, i1 false)
  %v274 = getelementptr i8, ptr %v133, i64 28
  %v275 = load i32, ptr %v274, align 4
  %v276 = insertelement <16 x i32> poison, i32 %v275, i32 0
  %v277 = shufflevector <16 x i32> %v276, <16 x i32> poison, <16 x i32> zeroinitializer
  %v278 = bitcast <16 x i32> %v277 to <64 x i8>
  %v279 = icmp slt <64 x i8> %v272, splat (i8 0)
  %v280 = sub <64 x i8> splat (i8 0), %v278
  %v281 = select <64 x i1> %v279, <64 x i8> %v280, <64 x i8> %v278
  %v282 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v273, <64 x i8> %v281)
  %v283 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v282, <32 x i16> splat (i16 1))
  %v284 = add <16 x i32> %v266, %v283
  %v285 = sitofp <16 x i32> %v284 to <16 x float>
  %v286 = load float, ptr %v131, align 4
  %v287 = insertelement <16 x float> poison, float %v286, i32 0
  %v288 = shufflevector <16 x float> %v287, <16 x float> poison, <16 x i32> zeroinitializer
  %v289 = fmul <16 x float> %v141, %v288
  %v290 = load <16 x float>, ptr %c79, align 4
  %v291 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v285, <16 x float> %v289, <16 x float> %v290)
  store <16 x float> %v291, ptr %c79, align 4
  %v292 = add i64 %v93, 1
  store i64 %v292, ptr %c89, align 8
  br label %head91
done93:
  %v293 = load <16 x float>, ptr %c79, align 4
  %v294 = mul i64 %v74, 16
  %v295 = mul i64 0, 16
  %v296 = add i64 %v294, %v295
  %v297 = mul i64 %v296, 4
  %v298 = mul i64 0, %v60
  %v299 = getelementptr i8, ptr %v30, i64 %v298
  %v300 = getelementptr i8, ptr %v299, i64 %v297
  store <16 x float> %v293, ptr %c301, align 4
  %v302 = ptrtoint ptr %v38 to i64
  %v303 = icmp ne i64 %v302, 0
  br i1 %v303, label %then305, label %done306
then305:
  %v306 = load <16 x float>, ptr %c301, align 4
  %v307 = getelementptr i8, ptr %v38, i64 %v297
  %v308 = load <16 x float>, ptr %v307, align 4
  %v309 = fadd <16 x float> %v306, %v308
  store <16 x float> %v309, ptr %c301, align 4
  br label %done306
done306:
  %v310 = icmp eq i64 %v64, 1
  br i1 %v310, label %then312, label %done313
then312:
  %v313 = load <16 x float>, ptr %v300, align 4
  %v314 = load <16 x float>, ptr %c301, align 4
  %v315 = fadd <16 x float> %v313, %v314
  store <16 x float> %v315, ptr %c301, align 4
  br label %done313
done313:
  %v316 = icmp eq i64 %v64, 2
  br i1 %v316, label %then318, label %done319
then318:
  %v319 = load <16 x float>, ptr %v300, align 4
  %v320 = fneg <16 x float> %v319
  %v321 = call <16 x float> @exp_v16f32(<16 x float> %v320)
  %v322 = fadd <16 x float> %v321, splat (float 0x3FF0000000000000)
  %v323 = fdiv <16 x float> %v319, %v322
  %v324 = load <16 x float>, ptr %c301, align 4
  %v325 = fmul <16 x float> %v323, %v324
  store <16 x float> %v325, ptr %c301, align 4
  br label %done319
done319:
  %v326 = load <16 x float>, ptr %c301, align 4
  store <16 x float> %v326, ptr %v300, align 4
  %v327 = add i64 %v74, 1
  store i64 %v327, ptr %c70, align 8
  br label %head72
done74:
  ret void
}
