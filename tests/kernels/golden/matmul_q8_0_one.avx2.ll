declare i64 @llvm.smin.i64(i64, i64)
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
  %c105 = alloca <8 x float>
  %c106 = alloca <8 x float>
  %c107 = alloca <8 x float>
  %c108 = alloca <8 x float>
  %c110 = alloca i64
  %c769 = alloca <8 x float>
  %c802 = alloca <8 x float>
  %c840 = alloca <8 x float>
  %c874 = alloca <8 x float>
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
  %v86 = add i64 %v84, 1
  %v87 = sub i64 %v79, 1
  %v88 = call i64 @llvm.smin.i64(i64 %v86, i64 %v87)
  %v89 = mul i64 %v84, %v52
  %v90 = getelementptr i8, ptr %v22, i64 %v89
  %v91 = getelementptr i8, ptr %v90, i64 %v54
  %v92 = mul i64 %v88, %v52
  %v93 = getelementptr i8, ptr %v22, i64 %v92
  %v94 = getelementptr i8, ptr %v93, i64 %v54
  %v95 = mul i64 %v52, 2
  %v96 = sdiv i64 %v48, 32
  %v97 = sdiv i64 31, %v96
  %v98 = mul i64 %v97, %v95
  %v99 = srem i64 31, %v96
  %v100 = mul i64 %v52, 2
  %v101 = sdiv i64 %v48, 32
  %v102 = sdiv i64 31, %v101
  %v103 = mul i64 %v102, %v100
  %v104 = srem i64 31, %v101
  store <8 x float> zeroinitializer, ptr %c105, align 4
  store <8 x float> zeroinitializer, ptr %c106, align 4
  store <8 x float> zeroinitializer, ptr %c107, align 4
  store <8 x float> zeroinitializer, ptr %c108, align 4
  %v109 = sdiv i64 %v48, 32
  store i64 0, ptr %c110, align 8
  br label %head112
head112:
  %v114 = load i64, ptr %c110, align 8
  %v115 = icmp slt i64 %v114, %v109
  br i1 %v115, label %body113, label %done114
body113:
  %v116 = add i64 %v114, %v99
  %v117 = icmp sge i64 %v116, %v96
  %v118 = select i1 %v117, i64 %v95, i64 0
  %v119 = add i64 %v98, %v118
  %v120 = select i1 %v117, i64 %v96, i64 0
  %v121 = sub i64 %v116, %v120
  %v122 = getelementptr i8, ptr %v90, i64 %v119
  %v123 = mul i64 %v121, 512
  %v124 = getelementptr i8, ptr %v122, i64 %v123
  %v125 = getelementptr i8, ptr %v91, i64 %v119
  %v126 = mul i64 %v121, 32
  %v127 = getelementptr i8, ptr %v125, i64 %v126
  call void @llvm.prefetch.p0(ptr %v127, i32 0, i32 2, i32 1)
  %v128 = mul i64 0, 512
  %v129 = getelementptr i8, ptr %v124, i64 %v128
  call void @llvm.prefetch.p0(ptr %v129, i32 0, i32 2, i32 1)
  %v130 = mul i64 0, 512
  %v131 = getelementptr i8, ptr %v124, i64 %v130
  %v132 = getelementptr i8, ptr %v131, i64 64
  call void @llvm.prefetch.p0(ptr %v132, i32 0, i32 2, i32 1)
  %v133 = mul i64 0, 512
  %v134 = getelementptr i8, ptr %v124, i64 %v133
  %v135 = getelementptr i8, ptr %v134, i64 128
  call void @llvm.prefetch.p0(ptr %v135, i32 0, i32 2, i32 1)
  %v136 = mul i64 0, 512
  %v137 = getelementptr i8, ptr %v124, i64 %v136
  %v138 = getelementptr i8, ptr %v137, i64 192
  call void @llvm.prefetch.p0(ptr %v138, i32 0, i32 2, i32 1)
  %v139 = mul i64 0, 512
  %v140 = getelementptr i8, ptr %v124, i64 %v139
  %v141 = getelementptr i8, ptr %v140, i64 256
  call void @llvm.prefetch.p0(ptr %v141, i32 0, i32 2, i32 1)
  %v142 = mul i64 0, 512
  %v143 = getelementptr i8, ptr %v124, i64 %v142
  %v144 = getelementptr i8, ptr %v143, i64 320
  call void @llvm.prefetch.p0(ptr %v144, i32 0, i32 2, i32 1)
  %v145 = mul i64 0, 512
  %v146 = getelementptr i8, ptr %v124, i64 %v145
  %v147 = getelementptr i8, ptr %v146, i64 384
  call void @llvm.prefetch.p0(ptr %v147, i32 0, i32 2, i32 1)
  %v148 = mul i64 0, 512
  %v149 = getelementptr i8, ptr %v124, i64 %v148
  %v150 = getelementptr i8, ptr %v149, i64 448
  call void @llvm.prefetch.p0(ptr %v150, i32 0, i32 2, i32 1)
  %v151 = add i64 %v114, %v104
  %v152 = icmp sge i64 %v151, %v101
  %v153 = select i1 %v152, i64 %v100, i64 0
  %v154 = add i64 %v103, %v153
  %v155 = select i1 %v152, i64 %v101, i64 0
  %v156 = sub i64 %v151, %v155
  %v157 = getelementptr i8, ptr %v93, i64 %v154
  %v158 = mul i64 %v156, 512
  %v159 = getelementptr i8, ptr %v157, i64 %v158
  %v160 = getelementptr i8, ptr %v94, i64 %v154
  %v161 = mul i64 %v156, 32
  %v162 = getelementptr i8, ptr %v160, i64 %v161
  call void @llvm.prefetch.p0(ptr %v162, i32 0, i32 2, i32 1)
  %v163 = mul i64 0, 512
  %v164 = getelementptr i8, ptr %v159, i64 %v163
  call void @llvm.prefetch.p0(ptr %v164, i32 0, i32 2, i32 1)
  %v165 = mul i64 0, 512
  %v166 = getelementptr i8, ptr %v159, i64 %v165
  %v167 = getelementptr i8, ptr %v166, i64 64
  call void @llvm.prefetch.p0(ptr %v167, i32 0, i32 2, i32 1)
  %v168 = mul i64 0, 512
  %v169 = getelementptr i8, ptr %v159, i64 %v168
  %v170 = getelementptr i8, ptr %v169, i64 128
  call void @llvm.prefetch.p0(ptr %v170, i32 0, i32 2, i32 1)
  %v171 = mul i64 0, 512
  %v172 = getelementptr i8, ptr %v159, i64 %v171
  %v173 = getelementptr i8, ptr %v172, i64 192
  call void @llvm.prefetch.p0(ptr %v173, i32 0, i32 2, i32 1)
  %v174 = mul i64 0, 512
  %v175 = getelementptr i8, ptr %v159, i64 %v174
  %v176 = getelementptr i8, ptr %v175, i64 256
  call void @llvm.prefetch.p0(ptr %v176, i32 0, i32 2, i32 1)
  %v177 = mul i64 0, 512
  %v178 = getelementptr i8, ptr %v159, i64 %v177
  %v179 = getelementptr i8, ptr %v178, i64 320
  call void @llvm.prefetch.p0(ptr %v179, i32 0, i32 2, i32 1)
  %v180 = mul i64 0, 512
  %v181 = getelementptr i8, ptr %v159, i64 %v180
  %v182 = getelementptr i8, ptr %v181, i64 384
  call void @llvm.prefetch.p0(ptr %v182, i32 0, i32 2, i32 1)
  %v183 = mul i64 0, 512
  %v184 = getelementptr i8, ptr %v159, i64 %v183
  %v185 = getelementptr i8, ptr %v184, i64 448
  call void @llvm.prefetch.p0(ptr %v185, i32 0, i32 2, i32 1)
  %v186 = mul i64 %v114, %v64
  %v187 = getelementptr i8, ptr %v6, i64 %v186
  %v188 = mul i64 %v114, %v66
  %v189 = getelementptr i8, ptr %v14, i64 %v188
  %v190 = mul i64 0, 8
  %v191 = mul i64 %v114, 512
  %v192 = getelementptr i8, ptr %v90, i64 %v191
  %v193 = mul i64 %v190, 4
  %v194 = getelementptr i8, ptr %v192, i64 %v193
  %v195 = load <32 x i8>, ptr %v194, align 16
  %v196 = mul i64 %v114, 512
  %v197 = getelementptr i8, ptr %v90, i64 %v196
  %v198 = getelementptr i8, ptr %v197, i64 64
  %v199 = mul i64 %v190, 4
  %v200 = getelementptr i8, ptr %v198, i64 %v199
  %v201 = load <32 x i8>, ptr %v200, align 16
  %v202 = mul i64 %v114, 512
  %v203 = getelementptr i8, ptr %v90, i64 %v202
  %v204 = getelementptr i8, ptr %v203, i64 128
  %v205 = mul i64 %v190, 4
  %v206 = getelementptr i8, ptr %v204, i64 %v205
  %v207 = load <32 x i8>, ptr %v206, align 16
  %v208 = mul i64 %v114, 512
  %v209 = getelementptr i8, ptr %v90, i64 %v208
  %v210 = getelementptr i8, ptr %v209, i64 192
  %v211 = mul i64 %v190, 4
  %v212 = getelementptr i8, ptr %v210, i64 %v211
  %v213 = load <32 x i8>, ptr %v212, align 16
  %v214 = mul i64 %v114, 512
  %v215 = getelementptr i8, ptr %v90, i64 %v214
  %v216 = getelementptr i8, ptr %v215, i64 256
  %v217 = mul i64 %v190, 4
  %v218 = getelementptr i8, ptr %v216, i64 %v217
  %v219 = load <32 x i8>, ptr %v218, align 16
  %v220 = mul i64 %v114, 512
  %v221 = getelementptr i8, ptr %v90, i64 %v220
  %v222 = getelementptr i8, ptr %v221, i64 320
  %v223 = mul i64 %v190, 4
  %v224 = getelementptr i8, ptr %v222, i64 %v223
  %v225 = load <32 x i8>, ptr %v224, align 16
  %v226 = mul i64 %v114, 512
  %v227 = getelementptr i8, ptr %v90, i64 %v226
  %v228 = getelementptr i8, ptr %v227, i64 384
  %v229 = mul i64 %v190, 4
  %v230 = getelementptr i8, ptr %v228, i64 %v229
  %v231 = load <32 x i8>, ptr %v230, align 16
  %v232 = mul i64 %v114, 512
  %v233 = getelementptr i8, ptr %v90, i64 %v232
  %v234 = getelementptr i8, ptr %v233, i64 448
  %v235 = mul i64 %v190, 4
  %v236 = getelementptr i8, ptr %v234, i64 %v235
  %v237 = load <32 x i8>, ptr %v236, align 16
  %v238 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v195, i1 false)
  %v239 = load i32, ptr %v187, align 4
  %v240 = insertelement <8 x i32> poison, i32 %v239, i32 0
  %v241 = shufflevector <8 x i32> %v240, <8 x i32> poison, <8 x i32> zeroinitializer
  %v242 = bitcast <8 x i32> %v241 to <32 x i8>
  %v243 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v242, <32 x i8> %v195)
  %v244 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v238, <32 x i8> %v243)
  %v245 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v244, <16 x i16> splat (i16 1))
  %v246 = add <8 x i32> zeroinitializer, %v245
  %v247 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v201, i1 false)
  %v248 = getelementptr i8, ptr %v187, i64 4
  %v249 = load i32, ptr %v248, align 4
  %v250 = insertelement <8 x i32> poison, i32 %v249, i32 0
  %v251 = shufflevector <8 x i32> %v250, <8 x i32> poison, <8 x i32> zeroinitializer
  %v252 = bitcast <8 x i32> %v251 to <32 x i8>
  %v253 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v252, <32 x i8> %v201)
  %v254 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v247, <32 x i8> %v253)
  %v255 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v254, <16 x i16> splat (i16 1))
  %v256 = add <8 x i32> %v246, %v255
  %v257 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v207, i1 false)
  %v258 = getelementptr i8, ptr %v187, i64 8
  %v259 = load i32, ptr %v258, align 4
  %v260 = insertelement <8 x i32> poison, i32 %v259, i32 0
  %v261 = shufflevector <8 x i32> %v260, <8 x i32> poison, <8 x i32> zeroinitializer
  %v262 = bitcast <8 x i32> %v261 to <32 x i8>
  %v263 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v262, <32 x i8> %v207)
  %v264 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v257, <32 x i8> %v263)
  %v265 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v264, <16 x i16> splat (i16 1))
  %v266 = add <8 x i32> %v256, %v265
  %v267 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v213, i1 false)
  %v268 = getelementptr i8, ptr %v187, i64 12
  %v269 = load i32, ptr %v268, align 4
  %v270 = insertelement <8 x i32> poison, i32 %v269, i32 0
  %v271 = shufflevector <8 x i32> %v270, <8 x i32> poison, <8 x i32> zeroinitializer
  %v272 = bitcast <8 x i32> %v271 to <32 x i8>
  %v273 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v272, <32 x i8> %v213)
  %v274 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v267, <32 x i8> %v273)
  %v275 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v274, <16 x i16> splat (i16 1))
  %v276 = add <8 x i32> %v266, %v275
  %v277 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v219, i1 false)
  %v278 = getelementptr i8, ptr %v187, i64 16
  %v279 = load i32, ptr %v278, align 4
  %v280 = insertelement <8 x i32> poison, i32 %v279, i32 0
  %v281 = shufflevector <8 x i32> %v280, <8 x i32> poison, <8 x i32> zeroinitializer
  %v282 = bitcast <8 x i32> %v281 to <32 x i8>
  %v283 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v282, <32 x i8> %v219)
  %v284 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v277, <32 x i8> %v283)
  %v285 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v284, <16 x i16> splat (i16 1))
  %v286 = add <8 x i32> %v276, %v285
  %v287 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v225, i1 false)
  %v288 = getelementptr i8, ptr %v187, i64 20
  %v289 = load i32, ptr %v288, align 4
  %v290 = insertelement <8 x i32> poison, i32 %v289, i32 0
  %v291 = shufflevector <8 x i32> %v290, <8 x i32> poison, <8 x i32> zeroinitializer
  %v292 = bitcast <8 x i32> %v291 to <32 x i8>
  %v293 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v292, <32 x i8> %v225)
  %v294 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v287, <32 x i8> %v293)
  %v295 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v294, <16 x i16> splat (i16 1))
  %v296 = add <8 x i32> %v286, %v295
  %v297 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v231, i1 false)
  %v298 = getelementptr i8, ptr %v187, i64 24
  %v299 = load i32, ptr %v298, align 4
  %v300 = insertelement <8 x i32> poison, i32 %v299, i32 0
  %v301 = shufflevector <8 x i32> %v300, <8 x i32> poison, <8 x i32> zeroinitializer
  %v302 = bitcast <8 x i32> %v301 to <32 x i8>
  %v303 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v302, <32 x i8> %v231)
  %v304 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v297, <32 x i8> %v303)
  %v305 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v304, <16 x i16> splat (i16 1))
  %v306 = add <8 x i32> %v296, %v305
  %v307 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v237, i1 false)
  %v308 = getelementptr i8, ptr %v187, i64 28
  %v309 = load i32, ptr %v308, align 4
  %v310 = insertelement <8 x i32> poison, i32 %v309, i32 0
  %v311 = shufflevector <8 x i32> %v310, <8 x i32> poison, <8 x i32> zeroinitializer
  %v312 = bitcast <8 x i32> %v311 to <32 x i8>
  %v313 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v312, <32 x i8> %v237)
  %v314 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v307, <32 x i8> %v313)
  %v315 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v314, <16 x i16> splat (i16 1))
  %v316 = add <8 x i32> %v306, %v315
  %v317 = mul i64 %v114, 32
  %v318 = getelementptr i8, ptr %v91, i64 %v317
  %v319 = mul i64 %v190, 2
  %v320 = getelementptr i8, ptr %v318, i64 %v319
  %v321 = load <8 x i16>, ptr %v320, align 2
  %v322 = bitcast <8 x i16> %v321 to <8 x half>
  %v323 = fpext <8 x half> %v322 to <8 x float>
  %v324 = load float, ptr %v189, align 4
  %v325 = insertelement <8 x float> poison, float %v324, i32 0
  %v326 = shufflevector <8 x float> %v325, <8 x float> poison, <8 x i32> zeroinitializer
  %v327 = fmul <8 x float> %v323, %v326
  %v328 = sitofp <8 x i32> %v316 to <8 x float>
  %v329 = load <8 x float>, ptr %c105, align 4
  %v330 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v328, <8 x float> %v327, <8 x float> %v329)
  store <8 x float> %v330, ptr %c105, align 4
  %v331 = mul i64 1, 8
  %v332 = mul i64 %v114, 512
  %v333 = getelementptr i8, ptr %v90, i64 %v332
  %v334 = mul i64 %v331, 4
  %v335 = getelementptr i8, ptr %v333, i64 %v334
  %v336 = load <32 x i8>, ptr %v335, align 16
  %v337 = mul i64 %v114, 512
  %v338 = getelementptr i8, ptr %v90, i64 %v337
  %v339 = getelementptr i8, ptr %v338, i64 64
  %v340 = mul i64 %v331, 4
  %v341 = getelementptr i8, ptr %v339, i64 %v340
  %v342 = load <32 x i8>, ptr %v341, align 16
  %v343 = mul i64 %v114, 512
  %v344 = getelementptr i8, ptr %v90, i64 %v343
  %v345 = getelementptr i8, ptr %v344, i64 128
  %v346 = mul i64 %v331, 4
  %v347 = getelementptr i8, ptr %v345, i64 %v346
  %v348 = load <32 x i8>, ptr %v347, align 16
  %v349 = mul i64 %v114, 512
  %v350 = getelementptr i8, ptr %v90, i64 %v349
  %v351 = getelementptr i8, ptr %v350, i64 192
  %v352 = mul i64 %v331, 4
  %v353 = getelementptr i8, ptr %v351, i64 %v352
  %v354 = load <32 x i8>, ptr %v353, align 16
  %v355 = mul i64 %v114, 512
  %v356 = getelementptr i8, ptr %v90, i64 %v355
  %v357 = getelementptr i8, ptr %v356, i64 256
  %v358 = mul i64 %v331, 4
  %v359 = getelementptr i8, ptr %v357, i64 %v358
  %v360 = load <32 x i8>, ptr %v359, align 16
  %v361 = mul i64 %v114, 512
  %v362 = getelementptr i8, ptr %v90, i64 %v361
  %v363 = getelementptr i8, ptr %v362, i64 320
  %v364 = mul i64 %v331, 4
  %v365 = getelementptr i8, ptr %v363, i64 %v364
  %v366 = load <32 x i8>, ptr %v365, align 16
  %v367 = mul i64 %v114, 512
  %v368 = getelementptr i8, ptr %v90, i64 %v367
  %v369 = getelementptr i8, ptr %v368, i64 384
  %v370 = mul i64 %v331, 4
  %v371 = getelementptr i8, ptr %v369, i64 %v370
  %v372 = load <32 x i8>, ptr %v371, align 16
  %v373 = mul i64 %v114, 512
  %v374 = getelementptr i8, ptr %v90, i64 %v373
  %v375 = getelementptr i8, ptr %v374, i64 448
  %v376 = mul i64 %v331, 4
  %v377 = getelementptr i8, ptr %v375, i64 %v376
  %v378 = load <32 x i8>, ptr %v377, align 16
  %v379 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v336, i1 false)
  %v380 = load i32, ptr %v187, align 4
  %v381 = insertelement <8 x i32> poison, i32 %v380, i32 0
  %v382 = shufflevector <8 x i32> %v381, <8 x i32> poison, <8 x i32> zeroinitializer
  %v383 = bitcast <8 x i32> %v382 to <32 x i8>
  %v384 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v383, <32 x i8> %v336)
  %v385 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v379, <32 x i8> %v384)
  %v386 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v385, <16 x i16> splat (i16 1))
  %v387 = add <8 x i32> zeroinitializer, %v386
  %v388 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v342, i1 false)
  %v389 = getelementptr i8, ptr %v187, i64 4
  %v390 = load i32, ptr %v389, align 4
  %v391 = insertelement <8 x i32> poison, i32 %v390, i32 0
  %v392 = shufflevector <8 x i32> %v391, <8 x i32> poison, <8 x i32> zeroinitializer
  %v393 = bitcast <8 x i32> %v392 to <32 x i8>
  %v394 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v393, <32 x i8> %v342)
  %v395 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v388, <32 x i8> %v394)
  %v396 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v395, <16 x i16> splat (i16 1))
  %v397 = add <8 x i32> %v387, %v396
  %v398 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v348, i1 false)
  %v399 = getelementptr i8, ptr %v187, i64 8
  %v400 = load i32, ptr %v399, align 4
  %v401 = insertelement <8 x i32> poison, i32 %v400, i32 0
  %v402 = shufflevector <8 x i32> %v401, <8 x i32> poison, <8 x i32> zeroinitializer
  %v403 = bitcast <8 x i32> %v402 to <32 x i8>
  %v404 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v403, <32 x i8> %v348)
  %v405 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v398, <32 x i8> %v404)
  %v406 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v405, <16 x i16> splat (i16 1))
  %v407 = add <8 x i32> %v397, %v406
  %v408 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v354, i1 false)
  %v409 = getelementptr i8, ptr %v187, i64 12
  %v410 = load i32, ptr %v409, align 4
  %v411 = insertelement <8 x i32> poison, i32 %v410, i32 0
  %v412 = shufflevector <8 x i32> %v411, <8 x i32> poison, <8 x i32> zeroinitializer
  %v413 = bitcast <8 x i32> %v412 to <32 x i8>
  %v414 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v413, <32 x i8> %v354)
  %v415 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v408, <32 x i8> %v414)
  %v416 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v415, <16 x i16> splat (i16 1))
  %v417 = add <8 x i32> %v407, %v416
  %v418 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v360, i1 false)
  %v419 = getelementptr i8, ptr %v187, i64 16
  %v420 = load i32, ptr %v419, align 4
  %v421 = insertelement <8 x i32> poison, i32 %v420, i32 0
  %v422 = shufflevector <8 x i32> %v421, <8 x i32> poison, <8 x i32> zeroinitializer
  %v423 = bitcast <8 x i32> %v422 to <32 x i8>
  %v424 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v423, <32 x i8> %v360)
  %v425 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v418, <32 x i8> %v424)
  %v426 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v425, <16 x i16> splat (i16 1))
  %v427 = add <8 x i32> %v417, %v426
  %v428 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v366, i1 false)
  %v429 = getelementptr i8, ptr %v187, i64 20
  %v430 = load i32, ptr %v429, align 4
  %v431 = insertelement <8 x i32> poison, i32 %v430, i32 0
  %v432 = shufflevector <8 x i32> %v431, <8 x i32> poison, <8 x i32> zeroinitializer
  %v433 = bitcast <8 x i32> %v432 to <32 x i8>
  %v434 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v433, <32 x i8> %v366)
  %v435 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v428, <32 x i8> %v434)
  %v436 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v435, <16 x i16> splat (i16 1))
  %v437 = add <8 x i32> %v427, %v436
  %v438 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v372, i1 false)
  %v439 = getelementptr i8, ptr %v187, i64 24
  %v440 = load i32, ptr %v439, align 4
  %v441 = insertelement <8 x i32> poison, i32 %v440, i32 0
  %v442 = shufflevector <8 x i32> %v441, <8 x i32> poison, <8 x i32> zeroinitializer
  %v443 = bitcast <8 x i32> %v442 to <32 x i8>
  %v444 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v443, <32 x i8> %v372)
  %v445 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v438, <32 x i8> %v444)
  %v446 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v445, <16 x i16> splat (i16 1))
  %v447 = add <8 x i32> %v437, %v446
  %v448 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v378, i1 false)
  %v449 = getelementptr i8, ptr %v187, i64 28
  %v450 = load i32, ptr %v449, align 4
  %v451 = insertelement <8 x i32> poison, i32 %v450, i32 0
  %v452 = shufflevector <8 x i32> %v451, <8 x i32> poison, <8 x i32> zeroinitializer
  %v453 = bitcast <8 x i32> %v452 to <32 x i8>
  %v454 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v453, <32 x i8> %v378)
  %v455 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v448, <32 x i8> %v454)
  %v456 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v455, <16 x i16> splat (i16 1))
  %v457 = add <8 x i32> %v447, %v456
  %v458 = mul i64 %v114, 32
  %v459 = getelementptr i8, ptr %v91, i64 %v458
  %v460 = mul i64 %v331, 2
  %v461 = getelementptr i8, ptr %v459, i64 %v460
  %v462 = load <8 x i16>, ptr %v461, align 2
  %v463 = bitcast <8 x i16> %v462 to <8 x half>
  %v464 = fpext <8 x half> %v463 to <8 x float>
  %v465 = load float, ptr %v189, align 4
  %v466 = insertelement <8 x float> poison, float %v465, i32 0
  %v467 = shufflevector <8 x float> %v466, <8 x float> poison, <8 x i32> zeroinitializer
  %v468 = fmul <8 x float> %v464, %v467
  %v469 = sitofp <8 x i32> %v457 to <8 x float>
  %v470 = load <8 x float>, ptr %c106, align 4
  %v471 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v469, <8 x float> %v468, <8 x float> %v470)
  store <8 x float> %v471, ptr %c106, align 4
  %v472 = mul i64 0, 8
  %v473 = mul i64 %v114, 512
  %v474 = getelementptr i8, ptr %v93, i64 %v473
  %v475 = mul i64 %v472, 4
  %v476 = getelementptr i8, ptr %v474, i64 %v475
  %v477 = load <32 x i8>, ptr %v476, align 16
  %v478 = mul i64 %v114, 512
  %v479 = getelementptr i8, ptr %v93, i64 %v478
  %v480 = getelementptr i8, ptr %v479, i64 64
  %v481 = mul i64 %v472, 4
  %v482 = getelementptr i8, ptr %v480, i64 %v481
  %v483 = load <32 x i8>, ptr %v482, align 16
  %v484 = mul i64 %v114, 512
  %v485 = getelementptr i8, ptr %v93, i64 %v484
  %v486 = getelementptr i8, ptr %v485, i64 128
  %v487 = mul i64 %v472, 4
  %v488 = getelementptr i8, ptr %v486, i64 %v487
  %v489 = load <32 x i8>, ptr %v488, align 16
  %v490 = mul i64 %v114, 512
  %v491 = getelementptr i8, ptr %v93, i64 %v490
  %v492 = getelementptr i8, ptr %v491, i64 192
  %v493 = mul i64 %v472, 4
  %v494 = getelementptr i8, ptr %v492, i64 %v493
  %v495 = load <32 x i8>, ptr %v494, align 16
  %v496 = mul i64 %v114, 512
  %v497 = getelementptr i8, ptr %v93, i64 %v496
  %v498 = getelementptr i8, ptr %v497, i64 256
  %v499 = mul i64 %v472, 4
  %v500 = getelementptr i8, ptr %v498, i64 %v499
  %v501 = load <32 x i8>, ptr %v500, align 16
  %v502 = mul i64 %v114, 512
  %v503 = getelementptr i8, ptr %v93, i64 %v502
  %v504 = getelementptr i8, ptr %v503, i64 320
  %v505 = mul i64 %v472, 4
  %v506 = getelementptr i8, ptr %v504, i64 %v505
  %v507 = load <32 x i8>, ptr %v506, align 16
  %v508 = mul i64 %v114, 512
  %v509 = getelementptr i8, ptr %v93, i64 %v508
  %v510 = getelementptr i8, ptr %v509, i64 384
  %v511 = mul i64 %v472, 4
  %v512 = getelementptr i8, ptr %v510, i64 %v511
  %v513 = load <32 x i8>, ptr %v512, align 16
  %v514 = mul i64 %v114, 512
  %v515 = getelementptr i8, ptr %v93, i64 %v514
  %v516 = getelementptr i8, ptr %v515, i64 448
  %v517 = mul i64 %v472, 4
  %v518 = getelementptr i8, ptr %v516, i64 %v517
  %v519 = load <32 x i8>, ptr %v518, align 16
  %v520 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v477, i1 false)
  %v521 = load i32, ptr %v187, align 4
  %v522 = insertelement <8 x i32> poison, i32 %v521, i32 0
  %v523 = shufflevector <8 x i32> %v522, <8 x i32> poison, <8 x i32> zeroinitializer
  %v524 = bitcast <8 x i32> %v523 to <32 x i8>
  %v525 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v524, <32 x i8> %v477)
  %v526 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v520, <32 x i8> %v525)
  %v527 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v526, <16 x i16> splat (i16 1))
  %v528 = add <8 x i32> zeroinitializer, %v527
  %v529 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v483, i1 false)
  %v530 = getelementptr i8, ptr %v187, i64 4
  %v531 = load i32, ptr %v530, align 4
  %v532 = insertelement <8 x i32> poison, i32 %v531, i32 0
  %v533 = shufflevector <8 x i32> %v532, <8 x i32> poison, <8 x i32> zeroinitializer
  %v534 = bitcast <8 x i32> %v533 to <32 x i8>
  %v535 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v534, <32 x i8> %v483)
  %v536 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v529, <32 x i8> %v535)
  %v537 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v536, <16 x i16> splat (i16 1))
  %v538 = add <8 x i32> %v528, %v537
  %v539 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v489, i1 false)
  %v540 = getelementptr i8, ptr %v187, i64 8
  %v541 = load i32, ptr %v540, align 4
  %v542 = insertelement <8 x i32> poison, i32 %v541, i32 0
  %v543 = shufflevector <8 x i32> %v542, <8 x i32> poison, <8 x i32> zeroinitializer
  %v544 = bitcast <8 x i32> %v543 to <32 x i8>
  %v545 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v544, <32 x i8> %v489)
  %v546 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v539, <32 x i8> %v545)
  %v547 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v546, <16 x i16> splat (i16 1))
  %v548 = add <8 x i32> %v538, %v547
  %v549 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v495, i1 false)
  %v550 = getelementptr i8, ptr %v187, i64 12
  %v551 = load i32, ptr %v550, align 4
  %v552 = insertelement <8 x i32> poison, i32 %v551, i32 0
  %v553 = shufflevector <8 x i32> %v552, <8 x i32> poison, <8 x i32> zeroinitializer
  %v554 = bitcast <8 x i32> %v553 to <32 x i8>
  %v555 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v554, <32 x i8> %v495)
  %v556 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v549, <32 x i8> %v555)
  %v557 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v556, <16 x i16> splat (i16 1))
  %v558 = add <8 x i32> %v548, %v557
  %v559 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v501, i1 false)
  %v560 = getelementptr i8, ptr %v187, i64 16
  %v561 = load i32, ptr %v560, align 4
  %v562 = insertelement <8 x i32> poison, i32 %v561, i32 0
  %v563 = shufflevector <8 x i32> %v562, <8 x i32> poison, <8 x i32> zeroinitializer
  %v564 = bitcast <8 x i32> %v563 to <32 x i8>
  %v565 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v564, <32 x i8> %v501)
  %v566 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v559, <32 x i8> %v565)
  %v567 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v566, <16 x i16> splat (i16 1))
  %v568 = add <8 x i32> %v558, %v567
  %v569 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v507, i1 false)
  %v570 = getelementptr i8, ptr %v187, i64 20
  %v571 = load i32, ptr %v570, align 4
  %v572 = insertelement <8 x i32> poison, i32 %v571, i32 0
  %v573 = shufflevector <8 x i32> %v572, <8 x i32> poison, <8 x i32> zeroinitializer
  %v574 = bitcast <8 x i32> %v573 to <32 x i8>
  %v575 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v574, <32 x i8> %v507)
  %v576 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v569, <32 x i8> %v575)
  %v577 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v576, <16 x i16> splat (i16 1))
  %v578 = add <8 x i32> %v568, %v577
  %v579 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v513, i1 false)
  %v580 = getelementptr i8, ptr %v187, i64 24
  %v581 = load i32, ptr %v580, align 4
  %v582 = insertelement <8 x i32> poison, i32 %v581, i32 0
  %v583 = shufflevector <8 x i32> %v582, <8 x i32> poison, <8 x i32> zeroinitializer
  %v584 = bitcast <8 x i32> %v583 to <32 x i8>
  %v585 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v584, <32 x i8> %v513)
  %v586 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v579, <32 x i8> %v585)
  %v587 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v586, <16 x i16> splat (i16 1))
  %v588 = add <8 x i32> %v578, %v587
  %v589 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v519, i1 false)
  %v590 = getelementptr i8, ptr %v187, i64 28
  %v591 = load i32, ptr %v590, align 4
  %v592 = insertelement <8 x i32> poison, i32 %v591, i32 0
  %v593 = shufflevector <8 x i32> %v592, <8 x i32> poison, <8 x i32> zeroinitializer
  %v594 = bitcast <8 x i32> %v593 to <32 x i8>
  %v595 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v594, <32 x i8> %v519)
  %v596 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v589, <32 x i8> %v595)
  %v597 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v596, <16 x i16> splat (i16 1))
  %v598 = add <8 x i32> %v588, %v597
  %v599 = mul i64 %v114, 32
  %v600 = getelementptr i8, ptr %v94, i64 %v599
  %v601 = mul i64 %v472, 2
  %v602 = getelementptr i8, ptr %v600, i64 %v601
  %v603 = load <8 x i16>, ptr %v602, align 2
  %v604 = bitcast <8 x i16> %v603 to <8 x half>
  %v605 = fpext <8 x half> %v604 to <8 x float>
  %v606 = load float, ptr %v189, align 4
  %v607 = insertelement <8 x float> poison, float %v606, i32 0
  %v608 = shufflevector <8 x float> %v607, <8 x float> poison, <8 x i32> zeroinitializer
  %v609 = fmul <8 x float> %v605, %v608
  %v610 = sitofp <8 x i32> %v598 to <8 x float>
  %v611 = load <8 x float>, ptr %c107, align 4
  %v612 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v610, <8 x float> %v609, <8 x float> %v611)
  store <8 x float> %v612, ptr %c107, align 4
  %v613 = mul i64 1, 8
  %v614 = mul i64 %v114, 512
  %v615 = getelementptr i8, ptr %v93, i64 %v614
  %v616 = mul i64 %v613, 4
  %v617 = getelementptr i8, ptr %v615, i64 %v616
  %v618 = load <32 x i8>, ptr %v617, align 16
  %v619 = mul i64 %v114, 512
  %v620 = getelementptr i8, ptr %v93, i64 %v619
  %v621 = getelementptr i8, ptr %v620, i64 64
  %v622 = mul i64 %v613, 4
  %v623 = getelementptr i8, ptr %v621, i64 %v622
  %v624 = load <32 x i8>, ptr %v623, align 16
  %v625 = mul i64 %v114, 512
  %v626 = getelementptr i8, ptr %v93, i64 %v625
  %v627 = getelementptr i8, ptr %v626, i64 128
  %v628 = mul i64 %v613, 4
  %v629 = getelementptr i8, ptr %v627, i64 %v628
  %v630 = load <32 x i8>, ptr %v629, align 16
  %v631 = mul i64 %v114, 512
  %v632 = getelementptr i8, ptr %v93, i64 %v631
  %v633 = getelementptr i8, ptr %v632, i64 192
  %v634 = mul i64 %v613, 4
  %v635 = getelementptr i8, ptr %v633, i64 %v634
  %v636 = load <32 x i8>, ptr %v635, align 16
  %v637 = mul i64 %v114, 512
  %v638 = getelementptr i8, ptr %v93, i64 %v637
  %v639 = getelementptr i8, ptr %v638, i64 256
  %v640 = mul i64 %v613, 4
  %v641 = getelementptr i8, ptr %v639, i64 %v640
  %v642 = load <32 x i8>, ptr %v641, align 16
  %v643 = mul i64 %v114, 512
  %v644 = getelementptr i8, ptr %v93, i64 %v643
  %v645 = getelementptr i8, ptr %v644, i64 320
  %v646 = mul i64 %v613, 4
  %v647 = getelementptr i8, ptr %v645, i64 %v646
  %v648 = load <32 x i8>, ptr %v647, align 16
  %v649 = mul i64 %v114, 512
  %v650 = getelementptr i8, ptr %v93, i64 %v649
  %v651 = getelementptr i8, ptr %v650, i64 384
  %v652 = mul i64 %v613, 4
  %v653 = getelementptr i8, ptr %v651, i64 %v652
  %v654 = load <32 x i8>, ptr %v653, align 16
  %v655 = mul i64 %v114, 512
  %v656 = getelementptr i8, ptr %v93, i64 %v655
  %v657 = getelementptr i8, ptr %v656, i64 448
  %v658 = mul i64 %v613, 4
  %v659 = getelementptr i8, ptr %v657, i64 %v658
  %v660 = load <32 x i8>, ptr %v659, align 16
  %v661 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v618, i1 false)
  %v662 = load i32, ptr %v187, align 4
  %v663 = insertelement <8 x i32> poison, i32 %v662, i32 0
  %v664 = shufflevector <8 x i32> %v663, <8 x i32> poison, <8 x i32> zeroinitializer
  %v665 = bitcast <8 x i32> %v664 to <32 x i8>
  %v666 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v665, <32 x i8> %v618)
  %v667 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v661, <32 x i8> %v666)
  %v668 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v667, <16 x i16> splat (i16 1))
  %v669 = add <8 x i32> zeroinitializer, %v668
  %v670 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v624, i1 false)
  %v671 = getelementptr i8, ptr %v187, i64 4
  %v672 = load i32, ptr %v671, align 4
  %v673 = insertelement <8 x i32> poison, i32 %v672, i32 0
  %v674 = shufflevector <8 x i32> %v673, <8 x i32> poison, <8 x i32> zeroinitializer
  %v675 = bitcast <8 x i32> %v674 to <32 x i8>
  %v676 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v675, <32 x i8> %v624)
  %v677 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v670, <32 x i8> %v676)
  %v678 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v677, <16 x i16> splat (i16 1))
  %v679 = add <8 x i32> %v669, %v678
  %v680 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v630, i1 false)
  %v681 = getelementptr i8, ptr %v187, i64 8
  %v682 = load i32, ptr %v681, align 4
  %v683 = insertelement <8 x i32> poison, i32 %v682, i32 0
  %v684 = shufflevector <8 x i32> %v683, <8 x i32> poison, <8 x i32> zeroinitializer
  %v685 = bitcast <8 x i32> %v684 to <32 x i8>
  %v686 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v685, <32 x i8> %v630)
  %v687 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v680, <32 x i8> %v686)
  %v688 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v687, <16 x i16> splat (i16 1))
  %v689 = add <8 x i32> %v679, %v688
  %v690 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v636, i1 false)
  %v691 = getelementptr i8, ptr %v187, i64 12
  %v692 = load i32, ptr %v691, align 4
  %v693 = insertelement <8 x i32> poison, i32 %v692, i32 0
  %v694 = shufflevector <8 x i32> %v693, <8 x i32> poison, <8 x i32> zeroinitializer
  %v695 = bitcast <8 x i32> %v694 to <32 x i8>
  %v696 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v695, <32 x i8> %v636)
  %v697 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v690, <32 x i8> %v696)
  %v698 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v697, <16 x i16> splat (i16 1))
  %v699 = add <8 x i32> %v689, %v698
  %v700 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v642, i1 false)
  %v701 = getelementptr i8, ptr %v187, i64 16
  %v702 = load i32, ptr %v701, align 4
  %v703 = insertelement <8 x i32> poison, i32 %v702, i32 0
  %v704 = shufflevector <8 x i32> %v703, <8 x i32> poison, <8 x i32> zeroinitializer
  %v705 = bitcast <8 x i32> %v704 to <32 x i8>
  %v706 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v705, <32 x i8> %v642)
  %v707 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v700, <32 x i8> %v706)
  %v708 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v707, <16 x i16> splat (i16 1))
  %v709 = add <8 x i32> %v699, %v708
  %v710 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v648, i1 false)
  %v711 = getelementptr i8, ptr %v187, i64 20
  %v712 = load i32, ptr %v711, align 4
  %v713 = insertelement <8 x i32> poison, i32 %v712, i32 0
  %v714 = shufflevector <8 x i32> %v713, <8 x i32> poison, <8 x i32> zeroinitializer
  %v715 = bitcast <8 x i32> %v714 to <32 x i8>
  %v716 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v715, <32 x i8> %v648)
  %v717 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v710, <32 x i8> %v716)
  %v718 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v717, <16 x i16> splat (i16 1))
  %v719 = add <8 x i32> %v709, %v718
  %v720 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v654, i1 false)
  %v721 = getelementptr i8, ptr %v187, i64 24
  %v722 = load i32, ptr %v721, align 4
  %v723 = insertelement <8 x i32> poison, i32 %v722, i32 0
  %v724 = shufflevector <8 x i32> %v723, <8 x i32> poison, <8 x i32> zeroinitializer
  %v725 = bitcast <8 x i32> %v724 to <32 x i8>
  %v726 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v725, <32 x i8> %v654)
  %v727 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v720, <32 x i8> %v726)
  %v728 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v727, <16 x i16> splat (i16 1))
  %v729 = add <8 x i32> %v719, %v728
  %v730 = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %v660, i1 false)
  %v731 = getelementptr i8, ptr %v187, i64 28
  %v732 = load i32, ptr %v731, align 4
  %v733 = insertelement <8 x i32> poison, i32 %v732, i32 0
  %v734 = shufflevector <8 x i32> %v733, <8 x i32> poison, <8 x i32> zeroinitializer
  %v735 = bitcast <8 x i32> %v734 to <32 x i8>
  %v736 = call <32 x i8> @llvm.x86.avx2.psign.b(<32 x i8> %v735, <32 x i8> %v660)
  %v737 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v730, <32 x i8> %v736)
  %v738 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v737, <16 x i16> splat (i16 1))
  %v739 = add <8 x i32> %v729, %v738
  %v740 = mul i64 %v114, 32
  %v741 = getelementptr i8, ptr %v94, i64 %v740
  %v742 = mul i64 %v613, 2
  %v743 = getelementptr i8, ptr %v741, i64 %v742
  %v744 = load <8 x i16>, ptr %v743, align 2
  %v745 = bitcast <8 x i16> %v744 to <8 x half>
  %v746 = fpext <8 x half> %v745 to <8 x float>
  %v747 = load float, ptr %v189, align 4
  %v748 = insertelement <8 x float> poison, float %v747, i32 0
  %v749 = shufflevector <8 x float> %v748, <8 x float> poison, <8 x i32> zeroinitializer
  %v750 = fmul <8 x float> %v746, %v749
  %v751 = sitofp <8 x i32> %v739 to <8 x float>
  %v752 = load <8 x float>, ptr %c108, align 4
  %v753 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v751, <8 x float> %v750, <8 x float> %v752)
  store <8 x float> %v753, ptr %c108, align 4
  %v754 = add i64 %v114, 1
  store i64 %v754, ptr %c110, align 8
  br label %head112
done114:
  %v755 = load <8 x float>, ptr %c105, align 4
  %v756 = load <8 x float>, ptr %c106, align 4
  %v757 = load <8 x float>, ptr %c107, align 4
  %v758 = load <8 x float>, ptr %c108, align 4
  %v759 = icmp slt i64 %v84, %v79
  br i1 %v759, label %then761, label %done762
then761:
  %v762 = mul i64 0, 8
  %v763 = mul i64 %v84, 16
  %v764 = add i64 %v763, %v762
  %v765 = mul i64 %v764, 4
  %v766 = mul i64 0, %v68
  %v767 = getelementptr i8, ptr %v30, i64 %v766
  %v768 = getelementptr i8, ptr %v767, i64 %v765
  store <8 x float> %v755, ptr %c769, align 4
  %v770 = ptrtoint ptr %v38 to i64
  %v771 = icmp ne i64 %v770, 0
  br i1 %v771, label %then773, label %done774
then773:
  %v774 = load <8 x float>, ptr %c769, align 4
  %v775 = getelementptr i8, ptr %v38, i64 %v765
  %v776 = load <8 x float>, ptr %v775, align 4
  %v777 = fadd <8 x float> %v774, %v776
  store <8 x float> %v777, ptr %c769, align 4
  br label %done774
done774:
  %v778 = icmp eq i64 %v74, 1
  br i1 %v778, label %then780, label %done781
then780:
  %v781 = load <8 x float>, ptr %v768, align 4
  %v782 = load <8 x float>, ptr %c769, align 4
  %v783 = fadd <8 x float> %v781, %v782
  store <8 x float> %v783, ptr %c769, align 4
  br label %done781
done781:
  %v784 = icmp eq i64 %v74, 2
  br i1 %v784, label %then786, label %done787
then786:
  %v787 = load <8 x float>, ptr %v768, align 4
  %v788 = fneg <8 x float> %v787
  %v789 = call <8 x float> @exp_v8f32(<8 x float> %v788)
  %v790 = fadd <8 x float> %v789, splat (float 0x3FF0000000000000)
  %v791 = fdiv <8 x float> %v787, %v790
  %v792 = load <8 x float>, ptr %c769, align 4
  %v793 = fmul <8 x float> %v791, %v792
  store <8 x float> %v793, ptr %c769, align 4
  br label %done787
done787:
  %v794 = load <8 x float>, ptr %c769, align 4
  store <8 x float> %v794, ptr %v768, align 4
  %v795 = mul i64 1, 8
  %v796 = mul i64 %v84, 16
  %v797 = add i64 %v796, %v795
  %v798 = mul i64 %v797, 4
  %v799 = mul i64 0, %v68
  %v800 = getelementptr i8, ptr %v30, i64 %v799
  %v801 = getelementptr i8, ptr %v800, i64 %v798
  store <8 x float> %v756, ptr %c802, align 4
  %v803 = ptrtoint ptr %v38 to i64
  %v804 = icmp ne i64 %v803, 0
  br i1 %v804, label %then806, label %done807
then806:
  %v807 = load <8 x float>, ptr %c802, align 4
  %v808 = getelementptr i8, ptr %v38, i64 %v798
  %v809 = load <8 x float>, ptr %v808, align 4
  %v810 = fadd <8 x float> %v807, %v809
  store <8 x float> %v810, ptr %c802, align 4
  br label %done807
done807:
  %v811 = icmp eq i64 %v74, 1
  br i1 %v811, label %then813, label %done814
then813:
  %v814 = load <8 x float>, ptr %v801, align 4
  %v815 = load <8 x float>, ptr %c802, align 4
  %v816 = fadd <8 x float> %v814, %v815
  store <8 x float> %v816, ptr %c802, align 4
  br label %done814
done814:
  %v817 = icmp eq i64 %v74, 2
  br i1 %v817, label %then819, label %done820
then819:
  %v820 = load <8 x float>, ptr %v801, align 4
  %v821 = fneg <8 x float> %v820
  %v822 = call <8 x float> @exp_v8f32(<8 x float> %v821)
  %v823 = fadd <8 x float> %v822, splat (float 0x3FF0000000000000)
  %v824 = fdiv <8 x float> %v820, %v823
  %v825 = load <8 x float>, ptr %c802, align 4
  %v826 = fmul <8 x float> %v824, %v825
  store <8 x float> %v826, ptr %c802, align 4
  br label %done820
done820:
  %v827 = load <8 x float>, ptr %c802, align 4
  store <8 x float> %v827, ptr %v801, align 4
  br label %done762
done762:
  %v828 = add i64 %v84, 1
  %v829 = icmp slt i64 %v828, %v79
  br i1 %v829, label %then831, label %done832
then831:
  %v832 = add i64 %v84, 1
  %v833 = mul i64 0, 8
  %v834 = mul i64 %v832, 16
  %v835 = add i64 %v834, %v833
  %v836 = mul i64 %v835, 4
  %v837 = mul i64 0, %v68
  %v838 = getelementptr i8, ptr %v30, i64 %v837
  %v839 = getelementptr i8, ptr %v838, i64 %v836
  store <8 x float> %v757, ptr %c840, align 4
  %v841 = ptrtoint ptr %v38 to i64
  %v842 = icmp ne i64 %v841, 0
  br i1 %v842, label %then844, label %done845
then844:
  %v845 = load <8 x float>, ptr %c840, align 4
  %v846 = getelementptr i8, ptr %v38, i64 %v836
  %v847 = load <8 x float>, ptr %v846, align 4
  %v848 = fadd <8 x float> %v845, %v847
  store <8 x float> %v848, ptr %c840, align 4
  br label %done845
done845:
  %v849 = icmp eq i64 %v74, 1
  br i1 %v849, label %then851, label %done852
then851:
  %v852 = load <8 x float>, ptr %v839, align 4
  %v853 = load <8 x float>, ptr %c840, align 4
  %v854 = fadd <8 x float> %v852, %v853
  store <8 x float> %v854, ptr %c840, align 4
  br label %done852
done852:
  %v855 = icmp eq i64 %v74, 2
  br i1 %v855, label %then857, label %done858
then857:
  %v858 = load <8 x float>, ptr %v839, align 4
  %v859 = fneg <8 x float> %v858
  %v860 = call <8 x float> @exp_v8f32(<8 x float> %v859)
  %v861 = fadd <8 x float> %v860, splat (float 0x3FF0000000000000)
  %v862 = fdiv <8 x float> %v858, %v861
  %v863 = load <8 x float>, ptr %c840, align 4
  %v864 = fmul <8 x float> %v862, %v863
  store <8 x float> %v864, ptr %c840, align 4
  br label %done858
done858:
  %v865 = load <8 x float>, ptr %c840, align 4
  store <8 x float> %v865, ptr %v839, align 4
  %v866 = add i64 %v84, 1
  %v867 = mul i64 1, 8
  %v868 = mul i64 %v866, 16
  %v869 = add i64 %v868, %v867
  %v870 = mul i64 %v869, 4
  %v871 = mul i64 0, %v68
  %v872 = getelementptr i8, ptr %v30, i64 %v871
  %v873 = getelementptr i8, ptr %v872, i64 %v870
  store <8 x float> %v758, ptr %c874, align 4
  %v875 = ptrtoint ptr %v38 to i64
  %v876 = icmp ne i64 %v875, 0
  br i1 %v876, label %then878, label %done879
then878:
  %v879 = load <8 x float>, ptr %c874, align 4
  %v880 = getelementptr i8, ptr %v38, i64 %v870
  %v881 = load <8 x float>, ptr %v880, align 4
  %v882 = fadd <8 x float> %v879, %v881
  store <8 x float> %v882, ptr %c874, align 4
  br label %done879
done879:
  %v883 = icmp eq i64 %v74, 1
  br i1 %v883, label %then885, label %done886
then885:
  %v886 = load <8 x float>, ptr %v873, align 4
  %v887 = load <8 x float>, ptr %c874, align 4
  %v888 = fadd <8 x float> %v886, %v887
  store <8 x float> %v888, ptr %c874, align 4
  br label %done886
done886:
  %v889 = icmp eq i64 %v74, 2
  br i1 %v889, label %then891, label %done892
then891:
  %v892 = load <8 x float>, ptr %v873, align 4
  %v893 = fneg <8 x float> %v892
  %v894 = call <8 x float> @exp_v8f32(<8 x float> %v893)
  %v895 = fadd <8 x float> %v894, splat (float 0x3FF0000000000000)
  %v896 = fdiv <8 x float> %v892, %v895
  %v897 = load <8 x float>, ptr %c874, align 4
  %v898 = fmul <8 x float> %v896, %v897
  store <8 x float> %v898, ptr %c874, align 4
  br label %done892
done892:
  %v899 = load <8 x float>, ptr %c874, align 4
  store <8 x float> %v899, ptr %v873, align 4
  br label %done832
done832:
  %v900 = add i64 %v84, 2
  store i64 %v900, ptr %c80, align 8
  br label %head82
done84:
  ret void
}
