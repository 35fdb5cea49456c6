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
  %c261 = alloca <16 x float>
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
  %v142 = xor <64 x i8> %v141, splat (i8 -128)
  %v143 = load i32, ptr %v128, align 4
  %v144 = insertelement <16 x i32> poison, i32 %v143, i32 0
  %v145 = shufflevector <16 x i32> %v144, <16 x i32> poison, <16 x i32> zeroinitializer
  %v146 = bitcast <16 x i32> %v145 to <64 x i8>
  %v147 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> zeroinitializer, <64 x i8> %v142, <64 x i8> %v146)
  %v148 = mul i64 %v89, 512
  %v149 = getelementptr i8, ptr %v77, i64 %v148
  %v150 = getelementptr i8, ptr %v149, i64 64
  %v151 = mul i64 %v136, 4
  %v152 = getelementptr i8, ptr %v150, i64 %v151
  %v153 = load <64 x i8>, ptr %v152, align 16
  %v154 = xor <64 x i8> %v153, splat (i8 -128)
  %v155 = getelementptr i8, ptr %v128, i64 4
  %v156 = load i32, ptr %v155, align 4
  %v157 = insertelement <16 x i32> poison, i32 %v156, i32 0
  %v158 = shufflevector <16 x i32> %v157, <16 x i32> poison, <16 x i32> zeroinitializer
  %v159 = bitcast <16 x i32> %v158 to <64 x i8>
  %v160 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v147, <64 x i8> %v154, <64 x i8> %v159)
  %v161 = mul i64 %v89, 512
  %v162 = getelementptr i8, ptr %v77, i64 %v161
  %v163 = getelementptr i8, ptr %v162, i64 128
  %v164 = mul i64 %v136, 4
  %v165 = getelementptr i8, ptr %v163, i64 %v164
  %v166 = load <64 x i8>, ptr %v165, align 16
  %v167 = xor <64 x i8> %v166, splat (i8 -128)
  %v168 = getelementptr i8, ptr %v128, i64 8
  %v169 = load i32, ptr %v168, align 4
  %v170 = insertelement <16 x i32> poison, i32 %v169, i32 0
  %v171 = shufflevector <16 x i32> %v170, <16 x i32> poison, <16 x i32> zeroinitializer
  %v172 = bitcast <16 x i32> %v171 to <64 x i8>
  %v173 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v160, <64 x i8> %v167, <64 x i8> %v172)
  %v174 = mul i64 %v89, 512
  %v175 = getelementptr i8, ptr %v77, i64 %v174
  %v176 = getelementptr i8, ptr %v175, i64 192
  %v177 = mul i64 %v136, 4
  %v178 = getelementptr i8, ptr %v176, i64 %v177
  %v179 = load <64 x i8>, ptr %v178, align 16
  %v180 = xor <64 x i8> %v179, splat (i8 -128)
  %v181 = getelementptr i8, ptr %v128, i64 12
  %v182 = load i32, ptr %v181, align 4
  %v183 = insertelement <16 x i32> poison, i32 %v182, i32 0
  %v184 = shufflevector <16 x i32> %v183, <16 x i32> poison, <16 x i32> zeroinitializer
  %v185 = bitcast <16 x i32> %v184 to <64 x i8>
  %v186 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v173, <64 x i8> %v180, <64 x i8> %v185)
  %v187 = mul i64 %v89, 512
  %v188 = getelementptr i8, ptr %v77, i64 %v187
  %v189 = getelementptr i8, ptr %v188, i64 256
  %v190 = mul i64 %v136, 4
  %v191 = getelementptr i8, ptr %v189, i64 %v190
  %v192 = load <64 x i8>, ptr %v191, align 16
  %v193 = xor <64 x i8> %v192, splat (i8 -128)
  %v194 = getelementptr i8, ptr %v128, i64 16
  %v195 = load i32, ptr %v194, align 4
  %v196 = insertelement <16 x i32> poison, i32 %v195, i32 0
  %v197 = shufflevector <16 x i32> %v196, <16 x i32> poison, <16 x i32> zeroinitializer
  %v198 = bitcast <16 x i32> %v197 to <64 x i8>
  %v199 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v186, <64 x i8> %v193, <64 x i8> %v198)
  %v200 = mul i64 %v89, 512
  %v201 = getelementptr i8, ptr %v77, i64 %v200
  %v202 = getelementptr i8, ptr %v201, i64 320
  %v203 = mul i64 %v136, 4
  %v204 = getelementptr i8, ptr %v202, i64 %v203
  %v205 = load <64 x i8>, ptr %v204, align 16
  %v206 = xor <64 x i8> %v205, splat (i8 -128)
  %v207 = getelementptr i8, ptr %v128, i64 20
  %v208 = load i32, ptr %v207, align 4
  %v209 = insertelement <16 x i32> poison, i32 %v208, i32 0
  %v210 = shufflevector <16 x i32> %v209, <16 x i32> poison, <16 x i32> zeroinitializer
  %v211 = bitcast <16 x i32> %v210 to <64 x i8>
  %v212 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v199, <64 x i8> %v206, <64 x i8> %v211)
  %v213 = mul i64 %v89, 512
  %v214 = getelementptr i8, ptr %v77, i64 %v213
  %v215 = getelementptr i8, ptr %v214, i64 384
  %v216 = mul i64 %v136, 4
  %v217 = getelementptr i8, ptr %v215, i64 %v216
  %v218 = load <64 x i8>, ptr %v217, align 16
  %v219 = xor <64 x i8> %v218, splat (i8 -128)
  %v220 = getelementptr i8, ptr %v128, i64 24
  %v221 = load i32, ptr %v220, align 4
  %v222 = insertelement <16 x i32> poison, i32 %v221, i32 0
  %v223 = shufflevector <16 x i32> %v222, <16 x i32> poison, <16 x i32> zeroinitializer
  %v224 = bitcast <16 x i32> %v223 to <64 x i8>
  %v225 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v212, <64 x i8> %v219, <64 x i8> %v224)
  %v226 = mul i64 %v89, 512
  %v227 = getelementptr i8, ptr %v77, i64 %v226
  %v228 = getelementptr i8, ptr %v227, i64 448
  %v229 = mul i64 %v136, 4
  %v230 = getelementptr i8, ptr %v228, i64 %v229
  %v231 = load <64 x i8>, ptr %v230, align 16
  %v232 = xor <64 x i8> %v231, splat (i8 -128)
  %v233 = getelementptr i8, ptr %v128, i64 28
  %v234 = load i32, ptr %v233, align 4
  %v235 = insertelement <16 x i32> poison, i32 %v234, i32 0
  %v236 = shufflevector <16 x i32> %v235, <16 x i32> poison, <16 x i32> zeroinitializer
  %v237 = bitcast <16 x i32> %v236 to <64 x i8>
  %v238 = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %v225, <64 x i8> %v232, <64 x i8> %v237)
  %v239 = getelementptr i8, ptr %v126, i64 4
  %v240 = load i32, ptr %v239, align 4
  %v241 = mul i32 %v240, 128
  %v242 = insertelement <16 x i32> poison, i32 %v241, i32 0
  %v243 = shufflevector <16 x i32> %v242, <16 x i32> poison, <16 x i32> zeroinitializer
  %v244 = sub <16 x i32> %v238, %v243
  %v245 = sitofp <16 x i32> %v244 to <16 x float>
  %v246 = load float, ptr %v126, align 4
  %v247 = insertelement <16 x float> poison, float %v246, i32 0
  %v248 = shufflevector <16 x float> %v247, <16 x float> poison, <16 x i32> zeroinitializer
  %v249 = fmul <16 x float> %v135, %v248
  %v250 = load <16 x float>, ptr %c79, align 4
  %v251 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v245, <16 x float> %v249, <16 x float> %v250)
  store <16 x float> %v251, ptr %c79, align 4
  %v252 = add i64 %v89, 1
  store i64 %v252, ptr %c85, align 8
  br label %head87
done89:
  %v253 = load <16 x float>, ptr %c79, align 4
  %v254 = mul i64 %v74, 16
  %v255 = mul i64 0, 16
  %v256 = add i64 %v254, %v255
  %v257 = mul i64 %v256, 4
  %v258 = mul i64 0, %v60
  %v259 = getelementptr i8, ptr %v30, i64 %v258
  %v260 = getelementptr i8, ptr %v259, i64 %v257
  store <16 x float> %v253, ptr %c261, align 4
  %v262 = ptrtoint ptr %v38 to i64
  %v263 = icmp ne i64 %v262, 0
  br i1 %v263, label %then265, label %done266
then265:
  %v266 = load <16 x float>, ptr %c261, align 4
  %v267 = getelementptr i8, ptr %v38, i64 %v257
  %v268 = load <16 x float>, ptr %v267, align 4
  %v269 = fadd <16 x float> %v266, %v268
  store <16 x float> %v269, ptr %c261, align 4
  br label %done266
done266:
  %v270 = icmp eq i64 %v64, 1
  br i1 %v270, label %then272, label %done273
then272:
  %v273 = load <16 x float>, ptr %v260, align 4
  %v274 = load <16 x float>, ptr %c261, align 4
  %v275 = fadd <16 x float> %v273, %v274
  store <16 x float> %v275, ptr %c261, align 4
  br label %done273
done273:
  %v276 = icmp eq i64 %v64, 2
  br i1 %v276, label %then278, label %done279
then278:
  %v279 = load <16 x float>, ptr %v260, align 4
  %v280 = fneg <16 x float> %v279
  %v281 = call <16 x float> @exp_v16f32(<16 x float> %v280)
  %v282 = fadd <16 x float> %v281, splat (float 0x3FF0000000000000)
  %v283 = fdiv <16 x float> %v279, %v282
  %v284 = load <16 x float>, ptr %c261, align 4
  %v285 = fmul <16 x float> %v283, %v284
  store <16 x float> %v285, ptr %c261, align 4
  br label %done279
done279:
  %v286 = load <16 x float>, ptr %c261, align 4
  store <16 x float> %v286, ptr %v260, align 4
  %v287 = add i64 %v74, 1
  store i64 %v287, ptr %c70, align 8
  br label %head72
done74:
  ret void
}
