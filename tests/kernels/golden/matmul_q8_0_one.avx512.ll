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
  %c80 = alloca i64
  %c93 = alloca <16 x float>
  %c95 = alloca i64
  %c309 = alloca <16 x float>
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
  %v89 = sdiv i64 %v48, 32
  %v90 = sdiv i64 31, %v89
  %v91 = mul i64 %v90, %v52
  %v92 = srem i64 31, %v89
  store <16 x float> zeroinitializer, ptr %c93, align 4
  %v94 = sdiv i64 %v48, 32
  store i64 0, ptr %c95, align 8
  br label %head97
head97:
  %v99 = load i64, ptr %c95, align 8
  %v100 = icmp slt i64 %v99, %v94
  br i1 %v100, label %body98, label %done99
body98:
  %v101 = add i64 %v99, %v92
  %v102 = icmp sge i64 %v101, %v89
  %v103 = select i1 %v102, i64 %v52, i64 0
  %v104 = add i64 %v91, %v103
  %v105 = select i1 %v102, i64 %v89, i64 0
  %v106 = sub i64 %v101, %v105
  %v107 = getelementptr i8, ptr %v87, i64 %v104
  %v108 = mul i64 %v106, 512
  %v109 = getelementptr i8, ptr %v107, i64 %v108
  %v110 = getelementptr i8, ptr %v88, i64 %v104
  %v111 = mul i64 %v106, 32
  %v112 = getelementptr i8, ptr %v110, i64 %v111
  call void @llvm.prefetch.p0(ptr %v112, i32 0, i32 2, i32 1)
  %v113 = mul i64 0, 512
  %v114 = getelementptr i8, ptr %v109, i64 %v113
  call void @llvm.prefetch.p0(ptr %v114, i32 0, i32 2, i32 1)
  %v115 = mul i64 0, 512
  %v116 = getelementptr i8, ptr %v109, i64 %v115
  %v117 = getelementptr i8, ptr %v116, i64 64
  call void @llvm.prefetch.p0(ptr %v117, i32 0, i32 2, i32 1)
  %v118 = mul i64 0, 512
  %v119 = getelementptr i8, ptr %v109, i64 %v118
  %v120 = getelementptr i8, ptr %v119, i64 128
  call void @llvm.prefetch.p0(ptr %v120, i32 0, i32 2, i32 1)
  %v121 = mul i64 0, 512
  %v122 = getelementptr i8, ptr %v109, i64 %v121
  %v123 = getelementptr i8, ptr %v122, i64 192
  call void @llvm.prefetch.p0(ptr %v123, i32 0, i32 2, i32 1)
  %v124 = mul i64 0, 512
  %v125 = getelementptr i8, ptr %v109, i64 %v124
  %v126 = getelementptr i8, ptr %v125, i64 256
  call void @llvm.prefetch.p0(ptr %v126, i32 0, i32 2, i32 1)
  %v127 = mul i64 0, 512
  %v128 = getelementptr i8, ptr %v109, i64 %v127
  %v129 = getelementptr i8, ptr %v128, i64 320
  call void @llvm.prefetch.p0(ptr %v129, i32 0, i32 2, i32 1)
  %v130 = mul i64 0, 512
  %v131 = getelementptr i8, ptr %v109, i64 %v130
  %v132 = getelementptr i8, ptr %v131, i64 384
  call void @llvm.prefetch.p0(ptr %v132, i32 0, i32 2, i32 1)
  %v133 = mul i64 0, 512
  %v134 = getelementptr i8, ptr %v109, i64 %v133
  %v135 = getelementptr i8, ptr %v134, i64 448
  call void @llvm.prefetch.p0(ptr %v135, i32 0, i32 2, i32 1)
  %v136 = mul i64 %v99, %v64
  %v137 = getelementptr i8, ptr %v6, i64 %v136
  %v138 = mul i64 %v99, %v66
  %v139 = getelementptr i8, ptr %v14, i64 %v138
  %v140 = mul i64 0, 16
  %v141 = mul i64 %v99, 512
  %v142 = getelementptr i8, ptr %v87, i64 %v141
  %v143 = mul i64 %v140, 4
  %v144 = getelementptr i8, ptr %v142, i64 %v143
  %v145 = load <64 x i8>, ptr %v144, align 16
  %v146 = mul i64 %v99, 512
  %v147 = getelementptr i8, ptr %v87, i64 %v146
  %v148 = getelementptr i8, ptr %v147, i64 64
  %v149 = mul i64 %v140, 4
  %v150 = getelementptr i8, ptr %v148, i64 %v149
  %v151 = load <64 x i8>, ptr %v150, align 16
  %v152 = mul i64 %v99, 512
  %v153 = getelementptr i8, ptr %v87, i64 %v152
  %v154 = getelementptr i8, ptr %v153, i64 128
  %v155 = mul i64 %v140, 4
  %v156 = getelementptr i8, ptr %v154, i64 %v155
  %v157 = load <64 x i8>, ptr %v156, align 16
  %v158 = mul i64 %v99, 512
  %v159 = getelementptr i8, ptr %v87, i64 %v158
  %v160 = getelementptr i8, ptr %v159, i64 192
  %v161 = mul i64 %v140, 4
  %v162 = getelementptr i8, ptr %v160, i64 %v161
  %v163 = load <64 x i8>, ptr %v162, align 16
  %v164 = mul i64 %v99, 512
  %v165 = getelementptr i8, ptr %v87, i64 %v164
  %v166 = getelementptr i8, ptr %v165, i64 256
  %v167 = mul i64 %v140, 4
  %v168 = getelementptr i8, ptr %v166, i64 %v167
  %v169 = load <64 x i8>, ptr %v168, align 16
  %v170 = mul i64 %v99, 512
  %v171 = getelementptr i8, ptr %v87, i64 %v170
  %v172 = getelementptr i8, ptr %v171, i64 320
  %v173 = mul i64 %v140, 4
  %v174 = getelementptr i8, ptr %v172, i64 %v173
  %v175 = load <64 x i8>, ptr %v174, align 16
  %v176 = mul i64 %v99, 512
  %v177 = getelementptr i8, ptr %v87, i64 %v176
  %v178 = getelementptr i8, ptr %v177, i64 384
  %v179 = mul i64 %v140, 4
  %v180 = getelementptr i8, ptr %v178, i64 %v179
  %v181 = load <64 x i8>, ptr %v180, align 16
  %v182 = mul i64 %v99, 512
  %v183 = getelementptr i8, ptr %v87, i64 %v182
  %v184 = getelementptr i8, ptr %v183, i64 448
  %v185 = mul i64 %v140, 4
  %v186 = getelementptr i8, ptr %v184, i64 %v185
  %v187 = load <64 x i8>, ptr %v186, align 16
  %v188 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v145, i1 false)
  %v189 = load i32, ptr %v137, align 4
  %v190 = insertelement <16 x i32> poison, i32 %v189, i32 0
  %v191 = shufflevector <16 x i32> %v190, <16 x i32> poison, <16 x i32> zeroinitializer
  %v192 = bitcast <16 x i32> %v191 to <64 x i8>
  %v193 = icmp slt <64 x i8> %v145, splat (i8 0)
  %v194 = sub <64 x i8> splat (i8 0), %v192
  %v195 = select <64 x i1> %v193, <64 x i8> %v194, <64 x i8> %v192
  %v196 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v188, <64 x i8> %v195)
  %v197 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v196, <32 x i16> splat (i16 1))
  %v198 = add <16 x i32> zeroinitializer, %v197
  %v199 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v151, i1 false)
  %v200 = getelementptr i8, ptr %v137, i64 4
  %v201 = load i32, ptr %v200, align 4
  %v202 = insertelement <16 x i32> poison, i32 %v201, i32 0
  %v203 = shufflevector <16 x i32> %v202, <16 x i32> poison, <16 x i32> zeroinitializer
  %v204 = bitcast <16 x i32> %v203 to <64 x i8>
  %v205 = icmp slt <64 x i8> %v151, splat (i8 0)
  %v206 = sub <64 x i8> splat (i8 0), %v204
  %v207 = select <64 x i1> %v205, <64 x i8> %v206, <64 x i8> %v204
  %v208 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v199, <64 x i8> %v207)
  %v209 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v208, <32 x i16> splat (i16 1))
  %v210 = add <16 x i32> %v198, %v209
  %v211 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v157, i1 false)
  %v212 = getelementptr i8, ptr %v137, i64 8
  %v213 = load i32, ptr %v212, align 4
  %v214 = insertelement <16 x i32> poison, i32 %v213, i32 0
  %v215 = shufflevector <16 x i32> %v214, <16 x i32> poison, <16 x i32> zeroinitializer
  %v216 = bitcast <16 x i32> %v215 to <64 x i8>
  %v217 = icmp slt <64 x i8> %v157, splat (i8 0)
  %v218 = sub <64 x i8> splat (i8 0), %v216
  %v219 = select <64 x i1> %v217, <64 x i8> %v218, <64 x i8> %v216
  %v220 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v211, <64 x i8> %v219)
  %v221 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v220, <32 x i16> splat (i16 1))
  %v222 = add <16 x i32> %v210, %v221
  %v223 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v163, i1 false)
  %v224 = getelementptr i8, ptr %v137, i64 12
  %v225 = load i32, ptr %v224, align 4
  %v226 = insertelement <16 x i32> poison, i32 %v225, i32 0
  %v227 = shufflevector <16 x i32> %v226, <16 x i32> poison, <16 x i32> zeroinitializer
  %v228 = bitcast <16 x i32> %v227 to <64 x i8>
  %v229 = icmp slt <64 x i8> %v163, splat (i8 0)
  %v230 = sub <64 x i8> splat (i8 0), %v228
  %v231 = select <64 x i1> %v229, <64 x i8> %v230, <64 x i8> %v228
  %v232 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v223, <64 x i8> %v231)
  %v233 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v232, <32 x i16> splat (i16 1))
  %v234 = add <16 x i32> %v222, %v233
  %v235 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v169, i1 false)
  %v236 = getelementptr i8, ptr %v137, i64 16
  %v237 = load i32, ptr %v236, align 4
  %v238 = insertelement <16 x i32> poison, i32 %v237, i32 0
  %v239 = shufflevector <16 x i32> %v238, <16 x i32> poison, <16 x i32> zeroinitializer
  %v240 = bitcast <16 x i32> %v239 to <64 x i8>
  %v241 = icmp slt <64 x i8> %v169, splat (i8 0)
  %v242 = sub <64 x i8> splat (i8 0), %v240
  %v243 = select <64 x i1> %v241, <64 x i8> %v242, <64 x i8> %v240
  %v244 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v235, <64 x i8> %v243)
  %v245 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v244, <32 x i16> splat (i16 1))
  %v246 = add <16 x i32> %v234, %v245
  %v247 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v175, i1 false)
  %v248 = getelementptr i8, ptr %v137, i64 20
  %v249 = load i32, ptr %v248, align 4
  %v250 = insertelement <16 x i32> poison, i32 %v249, i32 0
  %v251 = shufflevector <16 x i32> %v250, <16 x i32> poison, <16 x i32> zeroinitializer
  %v252 = bitcast <16 x i32> %v251 to <64 x i8>
  %v253 = icmp slt <64 x i8> %v175, splat (i8 0)
  %v254 = sub <64 x i8> splat (i8 0), %v252
  %v255 = select <64 x i1> %v253, <64 x i8> %v254, <64 x i8> %v252
  %v256 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v247, <64 x i8> %v255)
  %v257 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v256, <32 x i16> splat (i16 1))
  %v258 = add <16 x i32> %v246, %v257
  %v259 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v181, i1 false)
  %v260 = getelementptr i8, ptr %v137, i64 24
  %v261 = load i32, ptr %v260, align 4
  %v262 = insertelement <16 x i32> poison, i32 %v261, i32 0
  %v263 = shufflevector <16 x i32> %v262, <16 x i32> poison, <16 x i32> zeroinitializer
  %v264 = bitcast <16 x i32> %v263 to <64 x i8>
  %v265 = icmp slt <64 x i8> %v181, splat (i8 0)
  %v266 = sub <64 x i8> splat (i8 0), %v264
  %v267 = select <64 x i1> %v265, <64 x i8> %v266, <64 x i8> %v264
  %v268 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v259, <64 x i8> %v267)
  %v269 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v268, <32 x i16> splat (i16 1))
  %v270 = add <16 x i32> %v258, %v269
  %v271 = call <64 x i8> @llvm.abs.v64i8(<64 x i8> %v187, i1 false)
  %v272 = getelementptr i8, ptr %v137, i64 28
  %v273 = load i32, ptr %v272, align 4
  %v274 = insertelement <16 x i32> poison, i32 %v273, i32 0
  %v275 = shufflevector <16 x i32> %v274, <16 x i32> poison, <16 x i32> zeroinitializer
  %v276 = bitcast <16 x i32> %v275 to <64 x i8>
  %v277 = icmp slt <64 x i8> %v187, splat (i8 0)
  %v278 = sub <64 x i8> splat (i8 0), %v276
  %v279 = select <64 x i1> %v277, <64 x i8> %v278, <64 x i8> %v276
  %v280 = call <32 x i16> @llvm.x86.avx512.pmaddubs.w.512(<64 x i8> %v271, <64 x i8> %v279)
  %v281 = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %v280, <32 x i16> splat (i16 1))
  %v282 = add <16 x i32> %v270, %v281
  %v283 = mul i64 %v99, 32
  %v284 = getelementptr i8, ptr %v88, i64 %v283
  %v285 = mul i64 %v140, 2
  %v286 = getelementptr i8, ptr %v284, i64 %v285
  %v287 = load <16 x i16>, ptr %v286, align 2
  %v288 = bitcast <16 x i16> %v287 to <16 x half>
  %v289 = fpext <16 x half> %v288 to <16 x float>
  %v290 = load float, ptr %v139, align 4
  %v291 = insertelement <16 x float> poison, float %v290, i32 0
  %v292 = shufflevector <16 x float> %v291, <16 x float> poison, <16 x i32> zeroinitializer
  %v293 = fmul <16 x float> %v289, %v292
  %v294 = sitofp <16 x i32> %v282 to <16 x float>
  %v295 = load <16 x float>, ptr %c93, align 4
  %v296 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v294, <16 x float> %v293, <16 x float> %v295)
  store <16 x float> %v296, ptr %c93, align 4
  %v297 = add i64 %v99, 1
  store i64 %v297, ptr %c95, align 8
  br label %head97
done99:
  %v298 = load <16 x float>, ptr %c93, align 4
  %v299 = icmp slt i64 %v84, %v79
  br i1 %v299, label %then301, label %done302
then301:
  %v302 = mul i64 0, 16
  %v303 = mul i64 %v84, 16
  %v304 = add i64 %v303, %v302
  %v305 = mul i64 %v304, 4
  %v306 = mul i64 0, %v68
  %v307 = getelementptr i8, ptr %v30, i64 %v306
  %v308 = getelementptr i8, ptr %v307, i64 %v305
  store <16 x float> %v298, ptr %c309, align 4
  %v310 = ptrtoint ptr %v38 to i64
  %v311 = icmp ne i64 %v310, 0
  br i1 %v311, label %then313, label %done314
then313:
  %v314 = load <16 x float>, ptr %c309, align 4
  %v315 = getelementptr i8, ptr %v38, i64 %v305
  %v316 = load <16 x float>, ptr %v315, align 4
  %v317 = fadd <16 x float> %v314, %v316
  store <16 x float> %v317, ptr %c309, align 4
  br label %done314
done314:
  %v318 = icmp eq i64 %v74, 1
  br i1 %v318, label %then320, label %done321
then320:
  %v321 = load <16 x float>, ptr %v308, align 4
  %v322 = load <16 x float>, ptr %c309, align 4
  %v323 = fadd <16 x float> %v321, %v322
  store <16 x float> %v323, ptr %c309, align 4
  br label %done321
done321:
  %v324 = icmp eq i64 %v74, 2
  br i1 %v324, label %then326, label %done327
then326:
  %v327 = load <16 x float>, ptr %v308, align 4
  %v328 = fneg <16 x float> %v327
  %v329 = call <16 x float> @exp_v16f32(<16 x float> %v328)
  %v330 = fadd <16 x float> %v329, splat (float 0x3FF0000000000000)
  %v331 = fdiv <16 x float> %v327, %v330
  %v332 = load <16 x float>, ptr %c309, align 4
  %v333 = fmul <16 x float> %v331, %v332
  store <16 x float> %v333, ptr %c309, align 4
  br label %done327
done327:
  %v334 = load <16 x float>, ptr %c309, align 4
  store <16 x float> %v334, ptr %v308, align 4
  br label %done302
done302:
  %v335 = add i64 %v84, 1
  store i64 %v335, ptr %c80, align 8
  br label %head82
done84:
  ret void
}
