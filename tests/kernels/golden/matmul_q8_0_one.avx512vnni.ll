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
  %c70 = alloca i64
  %c79 = alloca <16 x float>
  %c89 = alloca i64
  %c267 = alloca <16 x float>
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
  %v148 = xor <64 x i8> %v147, splat (i8 -128)
  %v149 = load i32, ptr %v133, align 4
  %v150 = insertelement <16 x i32> poison, i32 %v149, i32 0
  %v151 = shufflevector <16 x i32> %v150, <16 x i32> poison, <16 x i32> zeroinitializer
  %v152 = bitcast <16 x i32> %v151 to <64 x i8>
  %v153 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> zeroinitializer, <64 x i8> %v148, <64 x i8> %v152)
  %v154 = mul i64 %v93, 512
  %v155 = getelementptr i8, ptr %v77, i64 %v154
  %v156 = getelementptr i8, ptr %v155, i64 64
  %v157 = mul i64 %v142, 4
  %v158 = getelementptr i8, ptr %v156, i64 %v157
  %v159 = load <64 x i8>, ptr %v158, align 16
  %v160 = xor <64 x i8> %v159, splat (i8 -128)
  %v161 = getelementptr i8, ptr %v133, i64 4
  %v162 = load i32, ptr %v161, align 4
  %v163 = insertelement <16 x i32> poison, i32 %v162, i32 0
  %v164 = shufflevector <16 x i32> %v163, <16 x i32> poison, <16 x i32> zeroinitializer
  %v165 = bitcast <16 x i32> %v164 to <64 x i8>
  %v166 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v153, <64 x i8> %v160, <64 x i8> %v165)
  %v167 = mul i64 %v93, 512
  %v168 = getelementptr i8, ptr %v77, i64 %v167
  %v169 = getelementptr i8, ptr %v168, i64 128
  %v170 = mul i64 %v142, 4
  %v171 = getelementptr i8, ptr %v169, i64 %v170
  %v172 = load <64 x i8>, ptr %v171, align 16
  %v173 = xor <64 x i8> %v172, splat (i8 -128)
  %v174 = getelementptr i8, ptr %v133, i64 8
  %v175 = load i32, ptr %v174, align 4
  %v176 = insertelement <16 x i32> poison, i32 %v175, i32 0
  %v177 = shufflevector <16 x i32> %v176, <16 x i32> poison, <16 x i32> zeroinitializer
  %v178 = bitcast <16 x i32> %v177 to <64 x i8>
  %v179 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v166, <64 x i8> %v173, <64 x i8> %v178)
  %v180 = mul i64 %v93, 512
  %v181 = getelementptr i8, ptr %v77, i64 %v180
  %v182 = getelementptr i8, ptr %v181, i64 192
  %v183 = mul i64 %v142, 4
  %v184 = getelementptr i8, ptr %v182, i64 %v183
  %v185 = load <64 x i8>, ptr %v184, align 16
  %v186 = xor <64 x i8> %v185, splat (i8 -128)
  %v187 = getelementptr i8, ptr %v133, i64 12
  %v188 = load i32, ptr %v187, align 4
  %v189 = insertelement <16 x i32> poison, i32 %v188, i32 0
  %v190 = shufflevector <16 x i32> %v189, <16 x i32> poison, <16 x i32> zeroinitializer
  %v191 = bitcast <16 x i32> %v190 to <64 x i8>
  %v192 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v179, <64 x i8> %v186, <64 x i8> %v191)
  %v193 = mul i64 %v93, 512
  %v194 = getelementptr i8, ptr %v77, i64 %v193
  %v195 = getelementptr i8, ptr %v194, i64 256
  %v196 = mul i64 %v142, 4
  %v197 = getelementptr i8, ptr %v195, i64 %v196
  %v198 = load <64 x i8>, ptr %v197, align 16
  %v199 = xor <64 x i8> %v198, splat (i8 -128)
  %v200 = getelementptr i8, ptr %v133, i64 16
  %v201 = load i32, ptr %v200, align 4
  %v202 = insertelement <16 x i32> poison, i32 %v201, i32 0
  %v203 = shufflevector <16 x i32> %v202, <16 x i32> poison, <16 x i32> zeroinitializer
  %v204 = bitcast <16 x i32> %v203 to <64 x i8>
  %v205 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v192, <64 x i8> %v199, <64 x i8> %v204)
  %v206 = mul i64 %v93, 512
  %v207 = getelementptr i8, ptr %v77, i64 %v206
  %v208 = getelementptr i8, ptr %v207, i64 320
  %v209 = mul i64 %v142, 4
  %v210 = getelementptr i8, ptr %v208, i64 %v209
  %v211 = load <64 x i8>, ptr %v210, align 16
  %v212 = xor <64 x i8> %v211, splat (i8 -128)
  %v213 = getelementptr i8, ptr %v133, i64 20
  %v214 = load i32, ptr %v213, align 4
  %v215 = insertelement <16 x i32> poison, i32 %v214, i32 0
  %v216 = shufflevector <16 x i32> %v215, <16 x i32> poison, <16 x i32> zeroinitializer
  %v217 = bitcast <16 x i32> %v216 to <64 x i8>
  %v218 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v205, <64 x i8> %v212, <64 x i8> %v217)
  %v219 = mul i64 %v93, 512
  %v220 = getelementptr i8, ptr %v77, i64 %v219
  %v221 = getelementptr i8, ptr %v220, i64 384
  %v222 = mul i64 %v142, 4
  %v223 = getelementptr i8, ptr %v221, i64 %v222
  %v224 = load <64 x i8>, ptr %v223, align 16
  %v225 = xor <64 x i8> %v224, splat (i8 -128)
  %v226 = getelementptr i8, ptr %v133, i64 24
  %v227 = load i32, ptr %v226, align 4
  %v228 = insertelement <16 x i32> poison, i32 %v227, i32 0
  %v229 = shufflevector <16 x i32> %v228, <16 x i32> poison, <16 x i32> zeroinitializer
  %v230 = bitcast <16 x i32> %v229 to <64 x i8>
  %v231 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v218, <64 x i8> %v225, <64 x i8> %v230)
  %v232 = mul i64 %v93, 512
  %v233 = getelementptr i8, ptr %v77, i64 %v232
  %v234 = getelementptr i8, ptr %v233, i64 448
  %v235 = mul i64 %v142, 4
  %v236 = getelementptr i8, ptr %v234, i64 %v235
  %v237 = load <64 x i8>, ptr %v236, align 16
  %v238 = xor <64 x i8> %v237, splat (i8 -128)
  %v239 = getelementptr i8, ptr %v133, i64 28
  %v240 = load i32, ptr %v239, align 4
  %v241 = insertelement <16 x i32> poison, i32 %v240, i32 0
  %v242 = shufflevector <16 x i32> %v241, <16 x i32> poison, <16 x i32> zeroinitializer
  %v243 = bitcast <16 x i32> %v242 to <64 x i8>
  %v244 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v231, <64 x i8> %v238, <64 x i8> %v243)
  %v245 = getelementptr i8, ptr %v131, i64 4
  %v246 = load i32, ptr %v245, align 4
  %v247 = mul i32 %v246, 128
  %v248 = insertelement <16 x i32> poison, i32 %v247, i32 0
  %v249 = shufflevector <16 x i32> %v248, <16 x i32> poison, <16 x i32> zeroinitializer
  %v250 = sub <16 x i32> %v244, %v249
  %v251 = sitofp <16 x i32> %v250 to <16 x float>
  %v252 = load float, ptr %v131, align 4
  %v253 = insertelement <16 x float> poison, float %v252, i32 0
  %v254 = shufflevector <16 x float> %v253, <16 x float> poison, <16 x i32> zeroinitializer
  %v255 = fmul <16 x float> %v141, %v254
  %v256 = load <16 x float>, ptr %c79, align 4
  %v257 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v251, <16 x float> %v255, <16 x float> %v256)
  store <16 x float> %v257, ptr %c79, align 4
  %v258 = add i64 %v93, 1
  store i64 %v258, ptr %c89, align 8
  br label %head91
done93:
  %v259 = load <16 x float>, ptr %c79, align 4
  %v260 = mul i64 %v74, 16
  %v261 = mul i64 0, 16
  %v262 = add i64 %v260, %v261
  %v263 = mul i64 %v262, 4
  %v264 = mul i64 0, %v60
  %v265 = getelementptr i8, ptr %v30, i64 %v264
  %v266 = getelementptr i8, ptr %v265, i64 %v263
  store <16 x float> %v259, ptr %c267, align 4
  %v268 = ptrtoint ptr %v38 to i64
  %v269 = icmp ne i64 %v268, 0
  br i1 %v269, label %then271, label %done272
then271:
  %v272 = load <16 x float>, ptr %c267, align 4
  %v273 = getelementptr i8, ptr %v38, i64 %v263
  %v274 = load <16 x float>, ptr %v273, align 4
  %v275 = fadd <16 x float> %v272, %v274
  store <16 x float> %v275, ptr %c267, align 4
  br label %done272
done272:
  %v276 = icmp eq i64 %v64, 1
  br i1 %v276, label %then278, label %done279
then278:
  %v279 = load <16 x float>, ptr %v266, align 4
  %v280 = load <16 x float>, ptr %c267, align 4
  %v281 = fadd <16 x float> %v279, %v280
  store <16 x float> %v281, ptr %c267, align 4
  br label %done279
done279:
  %v282 = icmp eq i64 %v64, 2
  br i1 %v282, label %then284, label %done285
then284:
  %v285 = load <16 x float>, ptr %v266, align 4
  %v286 = fneg <16 x float> %v285
  %v287 = call <16 x float> @exp_v16f32(<16 x float> %v286)
  %v288 = fadd <16 x float> %v287, splat (float 0x3FF0000000000000)
  %v289 = fdiv <16 x float> %v285, %v288
  %v290 = load <16 x float>, ptr %c267, align 4
  %v291 = fmul <16 x float> %v289, %v290
  store <16 x float> %v291, ptr %c267, align 4
  br label %done285
done285:
  %v292 = load <16 x float>, ptr %c267, align 4
  store <16 x float> %v292, ptr %v266, align 4
  %v293 = add i64 %v74, 1
  store i64 %v293, ptr %c70, align 8
  br label %head72
done74:
  ret void
}
