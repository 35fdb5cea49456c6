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
  %c246 = alloca <16 x float>
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
  %v127 = xor <64 x i8> %v126, splat (i8 -128)
  %v128 = load i32, ptr %v113, align 4
  %v129 = insertelement <16 x i32> poison, i32 %v128, i32 0
  %v130 = shufflevector <16 x i32> %v129, <16 x i32> poison, <16 x i32> zeroinitializer
  %v131 = bitcast <16 x i32> %v130 to <64 x i8>
  %v132 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> zeroinitializer, <64 x i8> %v127, <64 x i8> %v131)
  %v133 = mul i64 %v89, 512
  %v134 = getelementptr i8, ptr %v77, i64 %v133
  %v135 = getelementptr i8, ptr %v134, i64 64
  %v136 = mul i64 %v121, 4
  %v137 = getelementptr i8, ptr %v135, i64 %v136
  %v138 = load <64 x i8>, ptr %v137, align 16
  %v139 = xor <64 x i8> %v138, splat (i8 -128)
  %v140 = getelementptr i8, ptr %v113, i64 4
  %v141 = load i32, ptr %v140, align 4
  %v142 = insertelement <16 x i32> poison, i32 %v141, i32 0
  %v143 = shufflevector <16 x i32> %v142, <16 x i32> poison, <16 x i32> zeroinitializer
  %v144 = bitcast <16 x i32> %v143 to <64 x i8>
  %v145 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v132, <64 x i8> %v139, <64 x i8> %v144)
  %v146 = mul i64 %v89, 512
  %v147 = getelementptr i8, ptr %v77, i64 %v146
  %v148 = getelementptr i8, ptr %v147, i64 128
  %v149 = mul i64 %v121, 4
  %v150 = getelementptr i8, ptr %v148, i64 %v149
  %v151 = load <64 x i8>, ptr %v150, align 16
  %v152 = xor <64 x i8> %v151, splat (i8 -128)
  %v153 = getelementptr i8, ptr %v113, i64 8
  %v154 = load i32, ptr %v153, align 4
  %v155 = insertelement <16 x i32> poison, i32 %v154, i32 0
  %v156 = shufflevector <16 x i32> %v155, <16 x i32> poison, <16 x i32> zeroinitializer
  %v157 = bitcast <16 x i32> %v156 to <64 x i8>
  %v158 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v145, <64 x i8> %v152, <64 x i8> %v157)
  %v159 = mul i64 %v89, 512
  %v160 = getelementptr i8, ptr %v77, i64 %v159
  %v161 = getelementptr i8, ptr %v160, i64 192
  %v162 = mul i64 %v121, 4
  %v163 = getelementptr i8, ptr %v161, i64 %v162
  %v164 = load <64 x i8>, ptr %v163, align 16
  %v165 = xor <64 x i8> %v164, splat (i8 -128)
  %v166 = getelementptr i8, ptr %v113, i64 12
  %v167 = load i32, ptr %v166, align 4
  %v168 = insertelement <16 x i32> poison, i32 %v167, i32 0
  %v169 = shufflevector <16 x i32> %v168, <16 x i32> poison, <16 x i32> zeroinitializer
  %v170 = bitcast <16 x i32> %v169 to <64 x i8>
  %v171 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v158, <64 x i8> %v165, <64 x i8> %v170)
  %v172 = mul i64 %v89, 512
  %v173 = getelementptr i8, ptr %v77, i64 %v172
  %v174 = getelementptr i8, ptr %v173, i64 256
  %v175 = mul i64 %v121, 4
  %v176 = getelementptr i8, ptr %v174, i64 %v175
  %v177 = load <64 x i8>, ptr %v176, align 16
  %v178 = xor <64 x i8> %v177, splat (i8 -128)
  %v179 = getelementptr i8, ptr %v113, i64 16
  %v180 = load i32, ptr %v179, align 4
  %v181 = insertelement <16 x i32> poison, i32 %v180, i32 0
  %v182 = shufflevector <16 x i32> %v181, <16 x i32> poison, <16 x i32> zeroinitializer
  %v183 = bitcast <16 x i32> %v182 to <64 x i8>
  %v184 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v171, <64 x i8> %v178, <64 x i8> %v183)
  %v185 = mul i64 %v89, 512
  %v186 = getelementptr i8, ptr %v77, i64 %v185
  %v187 = getelementptr i8, ptr %v186, i64 320
  %v188 = mul i64 %v121, 4
  %v189 = getelementptr i8, ptr %v187, i64 %v188
  %v190 = load <64 x i8>, ptr %v189, align 16
  %v191 = xor <64 x i8> %v190, splat (i8 -128)
  %v192 = getelementptr i8, ptr %v113, i64 20
  %v193 = load i32, ptr %v192, align 4
  %v194 = insertelement <16 x i32> poison, i32 %v193, i32 0
  %v195 = shufflevector <16 x i32> %v194, <16 x i32> poison, <16 x i32> zeroinitializer
  %v196 = bitcast <16 x i32> %v195 to <64 x i8>
  %v197 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v184, <64 x i8> %v191, <64 x i8> %v196)
  %v198 = mul i64 %v89, 512
  %v199 = getelementptr i8, ptr %v77, i64 %v198
  %v200 = getelementptr i8, ptr %v199, i64 384
  %v201 = mul i64 %v121, 4
  %v202 = getelementptr i8, ptr %v200, i64 %v201
  %v203 = load <64 x i8>, ptr %v202, align 16
  %v204 = xor <64 x i8> %v203, splat (i8 -128)
  %v205 = getelementptr i8, ptr %v113, i64 24
  %v206 = load i32, ptr %v205, align 4
  %v207 = insertelement <16 x i32> poison, i32 %v206, i32 0
  %v208 = shufflevector <16 x i32> %v207, <16 x i32> poison, <16 x i32> zeroinitializer
  %v209 = bitcast <16 x i32> %v208 to <64 x i8>
  %v210 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v197, <64 x i8> %v204, <64 x i8> %v209)
  %v211 = mul i64 %v89, 512
  %v212 = getelementptr i8, ptr %v77, i64 %v211
  %v213 = getelementptr i8, ptr %v212, i64 448
  %v214 = mul i64 %v121, 4
  %v215 = getelementptr i8, ptr %v213, i64 %v214
  %v216 = load <64 x i8>, ptr %v215, align 16
  %v217 = xor <64 x i8> %v216, splat (i8 -128)
  %v218 = getelementptr i8, ptr %v113, i64 28
  %v219 = load i32, ptr %v218, align 4
  %v220 = insertelement <16 x i32> poison, i32 %v219, i32 0
  %v221 = shufflevector <16 x i32> %v220, <16 x i32> poison, <16 x i32> zeroinitializer
  %v222 = bitcast <16 x i32> %v221 to <64 x i8>
  %v223 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v210, <64 x i8> %v217, <64 x i8> %v222)
  %v224 = getelementptr i8, ptr %v111, i64 4
  %v225 = load i32, ptr %v224, align 4
  %v226 = mul i32 %v225, 128
  %v227 = insertelement <16 x i32> poison, i32 %v226, i32 0
  %v228 = shufflevector <16 x i32> %v227, <16 x i32> poison, <16 x i32> zeroinitializer
  %v229 = sub <16 x i32> %v223, %v228
  %v230 = sitofp <16 x i32> %v229 to <16 x float>
  %v231 = load float, ptr %v111, align 4
  %v232 = insertelement <16 x float> poison, float %v231, i32 0
  %v233 = shufflevector <16 x float> %v232, <16 x float> poison, <16 x i32> zeroinitializer
  %v234 = fmul <16 x float> %v120, %v233
  %v235 = load <16 x float>, ptr %c79, align 4
  %v236 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v230, <16 x float> %v234, <16 x float> %v235)
  store <16 x float> %v236, ptr %c79, align 4
  %v237 = add i64 %v89, 1
  store i64 %v237, ptr %c85, align 8
  br label %head87
done89:
  %v238 = load <16 x float>, ptr %c79, align 4
  %v239 = mul i64 %v74, 16
  %v240 = mul i64 0, 16
  %v241 = add i64 %v239, %v240
  %v242 = mul i64 %v241, 4
  %v243 = mul i64 0, %v60
  %v244 = getelementptr i8, ptr %v30, i64 %v243
  %v245 = getelementptr i8, ptr %v244, i64 %v242
  store <16 x float> %v238, ptr %c246, align 4
  %v247 = ptrtoint ptr %v38 to i64
  %v248 = icmp ne i64 %v247, 0
  br i1 %v248, label %then250, label %done251
then250:
  %v251 = load <16 x float>, ptr %c246, align 4
  %v252 = getelementptr i8, ptr %v38, i64 %v242
  %v253 = load <16 x float>, ptr %v252, align 4
  %v254 = fadd <16 x float> %v251, %v253
  store <16 x float> %v254, ptr %c246, align 4
  br label %done251
done251:
  %v255 = icmp eq i64 %v64, 1
  br i1 %v255, label %then257, label %done258
then257:
  %v258 = load <16 x float>, ptr %v245, align 4
  %v259 = load <16 x float>, ptr %c246, align 4
  %v260 = fadd <16 x float> %v258, %v259
  store <16 x float> %v260, ptr %c246, align 4
  br label %done258
done258:
  %v261 = icmp eq i64 %v64, 2
  br i1 %v261, label %then263, label %done264
then263:
  %v264 = load <16 x float>, ptr %v245, align 4
  %v265 = fneg <16 x float> %v264
  %v266 = call <16 x float> @exp_v16f32(<16 x float> %v265)
  %v267 = fadd <16 x float> %v266, splat (float 0x3FF0000000000000)
  %v268 = fdiv <16 x float> %v264, %v267
  %v269 = load <16 x float>, ptr %c246, align 4
  %v270 = fmul <16 x float> %v268, %v269
  store <16 x float> %v270, ptr %c246, align 4
  br label %done264
done264:
  %v271 = load <16 x float>, ptr %c246, align 4
  store <16 x float> %v271, ptr %v245, align 4
  %v272 = add i64 %v74, 1
  store i64 %v272, ptr %c70, align 8
  br label %head72
done74:
  ret void
}
