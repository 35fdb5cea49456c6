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
  %c85 = alloca i64
  %c262 = alloca <16 x float>
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
  %v143 = xor <64 x i8> %v142, splat (i8 -128)
  %v144 = load i32, ptr %v128, align 4
  %v145 = insertelement <16 x i32> poison, i32 %v144, i32 0
  %v146 = shufflevector <16 x i32> %v145, <16 x i32> poison, <16 x i32> zeroinitializer
  %v147 = bitcast <16 x i32> %v146 to <64 x i8>
  %v148 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> zeroinitializer, <64 x i8> %v143, <64 x i8> %v147)
  %v149 = mul i64 %v89, 512
  %v150 = getelementptr i8, ptr %v77, i64 %v149
  %v151 = getelementptr i8, ptr %v150, i64 64
  %v152 = mul i64 %v137, 4
  %v153 = getelementptr i8, ptr %v151, i64 %v152
  %v154 = load <64 x i8>, ptr %v153, align 16
  %v155 = xor <64 x i8> %v154, splat (i8 -128)
  %v156 = getelementptr i8, ptr %v128, i64 4
  %v157 = load i32, ptr %v156, align 4
  %v158 = insertelement <16 x i32> poison, i32 %v157, i32 0
  %v159 = shufflevector <16 x i32> %v158, <16 x i32> poison, <16 x i32> zeroinitializer
  %v160 = bitcast <16 x i32> %v159 to <64 x i8>
  %v161 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v148, <64 x i8> %v155, <64 x i8> %v160)
  %v162 = mul i64 %v89, 512
  %v163 = getelementptr i8, ptr %v77, i64 %v162
  %v164 = getelementptr i8, ptr %v163, i64 128
  %v165 = mul i64 %v137, 4
  %v166 = getelementptr i8, ptr %v164, i64 %v165
  %v167 = load <64 x i8>, ptr %v166, align 16
  %v168 = xor <64 x i8> %v167, splat (i8 -128)
  %v169 = getelementptr i8, ptr %v128, i64 8
  %v170 = load i32, ptr %v169, align 4
  %v171 = insertelement <16 x i32> poison, i32 %v170, i32 0
  %v172 = shufflevector <16 x i32> %v171, <16 x i32> poison, <16 x i32> zeroinitializer
  %v173 = bitcast <16 x i32> %v172 to <64 x i8>
  %v174 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v161, <64 x i8> %v168, <64 x i8> %v173)
  %v175 = mul i64 %v89, 512
  %v176 = getelementptr i8, ptr %v77, i64 %v175
  %v177 = getelementptr i8, ptr %v176, i64 192
  %v178 = mul i64 %v137, 4
  %v179 = getelementptr i8, ptr %v177, i64 %v178
  %v180 = load <64 x i8>, ptr %v179, align 16
  %v181 = xor <64 x i8> %v180, splat (i8 -128)
  %v182 = getelementptr i8, ptr %v128, i64 12
  %v183 = load i32, ptr %v182, align 4
  %v184 = insertelement <16 x i32> poison, i32 %v183, i32 0
  %v185 = shufflevector <16 x i32> %v184, <16 x i32> poison, <16 x i32> zeroinitializer
  %v186 = bitcast <16 x i32> %v185 to <64 x i8>
  %v187 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v174, <64 x i8> %v181, <64 x i8> %v186)
  %v188 = mul i64 %v89, 512
  %v189 = getelementptr i8, ptr %v77, i64 %v188
  %v190 = getelementptr i8, ptr %v189, i64 256
  %v191 = mul i64 %v137, 4
  %v192 = getelementptr i8, ptr %v190, i64 %v191
  %v193 = load <64 x i8>, ptr %v192, align 16
  %v194 = xor <64 x i8> %v193, splat (i8 -128)
  %v195 = getelementptr i8, ptr %v128, i64 16
  %v196 = load i32, ptr %v195, align 4
  %v197 = insertelement <16 x i32> poison, i32 %v196, i32 0
  %v198 = shufflevector <16 x i32> %v197, <16 x i32> poison, <16 x i32> zeroinitializer
  %v199 = bitcast <16 x i32> %v198 to <64 x i8>
  %v200 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v187, <64 x i8> %v194, <64 x i8> %v199)
  %v201 = mul i64 %v89, 512
  %v202 = getelementptr i8, ptr %v77, i64 %v201
  %v203 = getelementptr i8, ptr %v202, i64 320
  %v204 = mul i64 %v137, 4
  %v205 = getelementptr i8, ptr %v203, i64 %v204
  %v206 = load <64 x i8>, ptr %v205, align 16
  %v207 = xor <64 x i8> %v206, splat (i8 -128)
  %v208 = getelementptr i8, ptr %v128, i64 20
  %v209 = load i32, ptr %v208, align 4
  %v210 = insertelement <16 x i32> poison, i32 %v209, i32 0
  %v211 = shufflevector <16 x i32> %v210, <16 x i32> poison, <16 x i32> zeroinitializer
  %v212 = bitcast <16 x i32> %v211 to <64 x i8>
  %v213 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v200, <64 x i8> %v207, <64 x i8> %v212)
  %v214 = mul i64 %v89, 512
  %v215 = getelementptr i8, ptr %v77, i64 %v214
  %v216 = getelementptr i8, ptr %v215, i64 384
  %v217 = mul i64 %v137, 4
  %v218 = getelementptr i8, ptr %v216, i64 %v217
  %v219 = load <64 x i8>, ptr %v218, align 16
  %v220 = xor <64 x i8> %v219, splat (i8 -128)
  %v221 = getelementptr i8, ptr %v128, i64 24
  %v222 = load i32, ptr %v221, align 4
  %v223 = insertelement <16 x i32> poison, i32 %v222, i32 0
  %v224 = shufflevector <16 x i32> %v223, <16 x i32> poison, <16 x i32> zeroinitializer
  %v225 = bitcast <16 x i32> %v224 to <64 x i8>
  %v226 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v213, <64 x i8> %v220, <64 x i8> %v225)
  %v227 = mul i64 %v89, 512
  %v228 = getelementptr i8, ptr %v77, i64 %v227
  %v229 = getelementptr i8, ptr %v228, i64 448
  %v230 = mul i64 %v137, 4
  %v231 = getelementptr i8, ptr %v229, i64 %v230
  %v232 = load <64 x i8>, ptr %v231, align 16
  %v233 = xor <64 x i8> %v232, splat (i8 -128)
  %v234 = getelementptr i8, ptr %v128, i64 28
  %v235 = load i32, ptr %v234, align 4
  %v236 = insertelement <16 x i32> poison, i32 %v235, i32 0
  %v237 = shufflevector <16 x i32> %v236, <16 x i32> poison, <16 x i32> zeroinitializer
  %v238 = bitcast <16 x i32> %v237 to <64 x i8>
  %v239 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v226, <64 x i8> %v233, <64 x i8> %v238)
  %v240 = getelementptr i8, ptr %v126, i64 4
  %v241 = load i32, ptr %v240, align 4
  %v242 = mul i32 %v241, 128
  %v243 = insertelement <16 x i32> poison, i32 %v242, i32 0
  %v244 = shufflevector <16 x i32> %v243, <16 x i32> poison, <16 x i32> zeroinitializer
  %v245 = sub <16 x i32> %v239, %v244
  %v246 = sitofp <16 x i32> %v245 to <16 x float>
  %v247 = load float, ptr %v126, align 4
  %v248 = insertelement <16 x float> poison, float %v247, i32 0
  %v249 = shufflevector <16 x float> %v248, <16 x float> poison, <16 x i32> zeroinitializer
  %v250 = fmul <16 x float> %v136, %v249
  %v251 = load <16 x float>, ptr %c79, align 4
  %v252 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v246, <16 x float> %v250, <16 x float> %v251)
  store <16 x float> %v252, ptr %c79, align 4
  %v253 = add i64 %v89, 1
  store i64 %v253, ptr %c85, align 8
  br label %head87
done89:
  %v254 = load <16 x float>, ptr %c79, align 4
  %v255 = mul i64 %v74, 16
  %v256 = mul i64 0, 16
  %v257 = add i64 %v255, %v256
  %v258 = mul i64 %v257, 4
  %v259 = mul i64 0, %v60
  %v260 = getelementptr i8, ptr %v30, i64 %v259
  %v261 = getelementptr i8, ptr %v260, i64 %v258
  store <16 x float> %v254, ptr %c262, align 4
  %v263 = ptrtoint ptr %v38 to i64
  %v264 = icmp ne i64 %v263, 0
  br i1 %v264, label %then266, label %done267
then266:
  %v267 = load <16 x float>, ptr %c262, align 4
  %v268 = getelementptr i8, ptr %v38, i64 %v258
  %v269 = load <16 x float>, ptr %v268, align 4
  %v270 = fadd <16 x float> %v267, %v269
  store <16 x float> %v270, ptr %c262, align 4
  br label %done267
done267:
  %v271 = icmp eq i64 %v64, 1
  br i1 %v271, label %then273, label %done274
then273:
  %v274 = load <16 x float>, ptr %v261, align 4
  %v275 = load <16 x float>, ptr %c262, align 4
  %v276 = fadd <16 x float> %v274, %v275
  store <16 x float> %v276, ptr %c262, align 4
  br label %done274
done274:
  %v277 = icmp eq i64 %v64, 2
  br i1 %v277, label %then279, label %done280
then279:
  %v280 = load <16 x float>, ptr %v261, align 4
  %v281 = fneg <16 x float> %v280
  %v282 = call <16 x float> @exp_v16f32(<16 x float> %v281)
  %v283 = fadd <16 x float> %v282, splat (float 0x3FF0000000000000)
  %v284 = fdiv <16 x float> %v280, %v283
  %v285 = load <16 x float>, ptr %c262, align 4
  %v286 = fmul <16 x float> %v284, %v285
  store <16 x float> %v286, ptr %c262, align 4
  br label %done280
done280:
  %v287 = load <16 x float>, ptr %c262, align 4
  store <16 x float> %v287, ptr %v261, align 4
  %v288 = add i64 %v74, 1
  store i64 %v288, ptr %c70, align 8
  br label %head72
done74:
  ret void
}
