declare float @llvm.sqrt.f32(float)
declare i32 @llvm.vector.reduce.umax.v32i32(<32 x i32>)
declare <32 x float> @llvm.roundeven.v32f32(<32 x float>)
declare i32 @llvm.vector.reduce.add.v32i32(<32 x i32>)

define internal <16 x float> @fma_v16f32(<16 x float> %a0, <16 x float> %a1, <16 x float> %a2) nounwind {
entry:
  br label %start
start:
  %v0 = fpext <16 x float> %a0 to <16 x double>
  %v1 = fpext <16 x float> %a1 to <16 x double>
  %v2 = fmul <16 x double> %v0, %v1
  %v3 = fpext <16 x float> %a2 to <16 x double>
  %v4 = fadd <16 x double> %v2, %v3
  %v5 = fsub <16 x double> %v4, %v2
  %v6 = fsub <16 x double> %v4, %v5
  %v7 = fsub <16 x double> %v2, %v6
  %v8 = fsub <16 x double> %v3, %v5
  %v9 = fadd <16 x double> %v7, %v8
  %v10 = bitcast <16 x double> %v4 to <16 x i64>
  %v11 = bitcast <16 x double> %v9 to <16 x i64>
  %v12 = xor <16 x i64> %v11, %v10
  %v13 = icmp sge <16 x i64> %v12, splat (i64 0)
  %v14 = add <16 x i64> %v10, splat (i64 1)
  %v15 = sub <16 x i64> %v10, splat (i64 1)
  %v16 = select <16 x i1> %v13, <16 x i64> %v14, <16 x i64> %v15
  %v17 = and <16 x i64> %v10, splat (i64 1)
  %v18 = icmp eq <16 x i64> %v17, splat (i64 0)
  %v19 = fcmp one <16 x double> %v9, splat (double 0x0000000000000000)
  %v20 = and <16 x i1> %v18, %v19
  %v21 = select <16 x i1> %v20, <16 x i64> %v16, <16 x i64> %v10
  %v22 = bitcast <16 x i64> %v21 to <16 x double>
  %v23 = fptrunc <16 x double> %v22 to <16 x float>
  ret <16 x float> %v23
}

define internal float @fma_f32(float %a0, float %a1, float %a2) nounwind {
entry:
  br label %start
start:
  %v0 = fpext float %a0 to double
  %v1 = fpext float %a1 to double
  %v2 = fmul double %v0, %v1
  %v3 = fpext float %a2 to double
  %v4 = fadd double %v2, %v3
  %v5 = fsub double %v4, %v2
  %v6 = fsub double %v4, %v5
  %v7 = fsub double %v2, %v6
  %v8 = fsub double %v3, %v5
  %v9 = fadd double %v7, %v8
  %v10 = bitcast double %v4 to i64
  %v11 = bitcast double %v9 to i64
  %v12 = xor i64 %v11, %v10
  %v13 = icmp sge i64 %v12, 0
  %v14 = add i64 %v10, 1
  %v15 = sub i64 %v10, 1
  %v16 = select i1 %v13, i64 %v14, i64 %v15
  %v17 = and i64 %v10, 1
  %v18 = icmp eq i64 %v17, 0
  %v19 = fcmp one double %v9, 0x0000000000000000
  %v20 = and i1 %v18, %v19
  %v21 = select i1 %v20, i64 %v16, i64 %v10
  %v22 = bitcast i64 %v21 to double
  %v23 = fptrunc double %v22 to float
  ret float %v23
}

define  void @rms_norm(ptr %bases, ptr %args, ptr %step, i64 %thread, i64 %threads) nounwind {
entry:
  %c63 = alloca i64
  %c69 = alloca i64
  %c87 = alloca <16 x float>
  %c90 = alloca i64
  %c102 = alloca i64
  %c155 = alloca i64
  %c174 = alloca i64
  %c196 = alloca i64
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
  %v55 = getelementptr i8, ptr %step, i64 %v54
  %v56 = load i32, ptr %v55, align 4
  %v57 = sext i32 %v56 to i64
  %v58 = mul i64 %v57, %thread
  %v59 = sdiv i64 %v58, %threads
  %v60 = add i64 %thread, 1
  %v61 = mul i64 %v57, %v60
  %v62 = sdiv i64 %v61, %threads
  store i64 %v59, ptr %c63, align 8
  br label %head65
head65:
  %v67 = load i64, ptr %c63, align 8
  %v68 = icmp slt i64 %v67, %v62
  br i1 %v68, label %body66, label %done67
body66:
  store i64 %v67, ptr %c69, align 8
  %v70 = icmp ne i64 %v52, 0
  br i1 %v70, label %then72, label %done73
then72:
  %v73 = getelementptr i8, ptr %step, i64 56
  %v74 = load i32, ptr %v73, align 4
  %v75 = sext i32 %v74 to i64
  %v76 = mul i64 %v75, 4
  %v77 = getelementptr i8, ptr %step, i64 %v76
  %v78 = mul i64 %v67, 4
  %v79 = getelementptr i8, ptr %v77, i64 %v78
  %v80 = load i32, ptr %v79, align 4
  %v81 = sext i32 %v80 to i64
  store i64 %v81, ptr %c69, align 8
  br label %done73
done73:
  %v82 = load i64, ptr %c69, align 8
  %v83 = mul i64 %v82, %v44
  %v84 = getelementptr i8, ptr %v6, i64 %v83
  %v85 = mul i64 %v67, %v46
  %v86 = getelementptr i8, ptr %v22, i64 %v85
  store <16 x float> zeroinitializer, ptr %c87, align 4
  %v88 = sdiv i64 %v40, 16
  %v89 = mul i64 %v88, 16
  store i64 0, ptr %c90, align 8
  br label %head92
head92:
  %v94 = load i64, ptr %c90, align 8
  %v95 = icmp slt i64 %v94, %v89
  br i1 %v95, label %body93, label %done94
body93:
  %v96 = load <16 x float>, ptr %c87, align 4
  %v97 = mul i64 %v94, 4
  %v98 = getelementptr i8, ptr %v84, i64 %v97
  %v99 = load <16 x float>, ptr %v98, align 4
  %v100 = call <16 x float> @fma_v16f32(<16 x float> %v99, <16 x float> %v99, <16 x float> %v96)
  store <16 x float> %v100, ptr %c87, align 4
  %v101 = add i64 %v94, 16
  store i64 %v101, ptr %c90, align 8
  br label %head92
done94:
  store i64 %v89, ptr %c102, align 8
  br label %head104
head104:
  %v106 = load i64, ptr %c102, align 8
  %v107 = icmp slt i64 %v106, %v40
  br i1 %v107, label %body105, label %done106
body105:
  %v108 = sub i64 %v106, %v89
  %v109 = trunc i64 %v108 to i32
  %v110 = load <16 x float>, ptr %c87, align 4
  %v111 = load <16 x float>, ptr %c87, align 4
  %v112 = extractelement <16 x float> %v111, i32 %v109
  %v113 = mul i64 %v106, 4
  %v114 = getelementptr i8, ptr %v84, i64 %v113
  %v115 = load float, ptr %v114, align 4
  %v116 = call float @fma_f32(float %v115, float %v115, float %v112)
  %v117 = insertelement <16 x float> %v110, float %v116, i32 %v109
  store <16 x float> %v117, ptr %c87, align 4
  %v118 = add i64 %v106, 1
  store i64 %v118, ptr %c102, align 8
  br label %head104
done106:
  %v119 = load <16 x float>, ptr %c87, align 4
  %v120 = shufflevector <16 x float> %v119, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v121 = shufflevector <16 x float> %v119, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v122 = fadd <8 x float> %v120, %v121
  %v123 = shufflevector <8 x float> %v122, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v124 = shufflevector <8 x float> %v122, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v125 = fadd <4 x float> %v123, %v124
  %v126 = shufflevector <4 x float> %v125, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v127 = shufflevector <4 x float> %v125, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v128 = fadd <2 x float> %v126, %v127
  %v129 = extractelement <2 x float> %v128, i32 0
  %v130 = extractelement <2 x float> %v128, i32 1
  %v131 = fadd float %v129, %v130
  %v132 = bitcast float %v131 to i32
  %v133 = and i32 %v132, 2147483647
  %v134 = icmp sge i32 %v133, 2139095040
  br i1 %v134, label %then136, label %done137
then136:
  %v137 = load i64, ptr %c69, align 8
  %v138 = getelementptr i8, ptr %step, i64 12
  %v139 = load i32, ptr %v138, align 4
  %v140 = icmp eq i32 %v139, 0
  br i1 %v140, label %then142, label %done143
then142:
  %v143 = trunc i64 %v137 to i32
  %v144 = getelementptr i8, ptr %step, i64 16
  store i32 %v143, ptr %v144, align 4
  %v145 = getelementptr i8, ptr %step, i64 12
  store i32 1, ptr %v145, align 4
  br label %done143
done143:
  br label %done137
done137:
  %v146 = trunc i64 %v42 to i32
  %v147 = bitcast i32 %v146 to float
  %v148 = sitofp i64 %v40 to float
  %v149 = fdiv float %v131, %v148
  %v150 = fadd float %v149, %v147
  %v151 = call float @llvm.sqrt.f32(float %v150)
  %v152 = fdiv float 0x3FF0000000000000, %v151
  %v153 = sdiv i64 %v40, 16
  %v154 = mul i64 %v153, 16
  store i64 0, ptr %c155, align 8
  br label %head157
head157:
  %v159 = load i64, ptr %c155, align 8
  %v160 = icmp slt i64 %v159, %v154
  br i1 %v160, label %body158, label %done159
body158:
  %v161 = mul i64 %v159, 4
  %v162 = getelementptr i8, ptr %v84, i64 %v161
  %v163 = load <16 x float>, ptr %v162, align 4
  %v164 = insertelement <16 x float> poison, float %v152, i32 0
  %v165 = shufflevector <16 x float> %v164, <16 x float> poison, <16 x i32> zeroinitializer
  %v166 = mul i64 %v159, 4
  %v167 = getelementptr i8, ptr %v14, i64 %v166
  %v168 = load <16 x float>, ptr %v167, align 4
  %v169 = fmul <16 x float> %v163, %v165
  %v170 = fmul <16 x float> %v169, %v168
  %v171 = mul i64 %v159, 4
  %v172 = getelementptr i8, ptr %v86, i64 %v171
  store <16 x float> %v170, ptr %v172, align 4
  %v173 = add i64 %v159, 16
  store i64 %v173, ptr %c155, align 8
  br label %head157
done159:
  store i64 %v154, ptr %c174, align 8
  br label %head176
head176:
  %v178 = load i64, ptr %c174, align 8
  %v179 = icmp slt i64 %v178, %v40
  br i1 %v179, label %body177, label %done178
body177:
  %v180 = mul i64 %v178, 4
  %v181 = getelementptr i8, ptr %v84, i64 %v180
  %v182 = load float, ptr %v181, align 4
  %v183 = mul i64 %v178, 4
  %v184 = getelementptr i8, ptr %v14, i64 %v183
  %v185 = load float, ptr %v184, align 4
  %v186 = fmul float %v182, %v152
  %v187 = fmul float %v186, %v185
  %v188 = mul i64 %v178, 4
  %v189 = getelementptr i8, ptr %v86, i64 %v188
  store float %v187, ptr %v189, align 4
  %v190 = add i64 %v178, 1
  store i64 %v190, ptr %c174, align 8
  br label %head176
done178:
  %v191 = ptrtoint ptr %v30 to i64
  %v192 = icmp ne i64 %v191, 0
  br i1 %v192, label %then194, label %done195
then194:
  %v195 = sdiv i64 %v40, 32
  store i64 0, ptr %c196, align 8
  br label %head198
head198:
  %v200 = load i64, ptr %c196, align 8
  %v201 = icmp slt i64 %v200, %v195
  br i1 %v201, label %body199, label %done200
body199:
  %v202 = mul i64 %v200, %v48
  %v203 = getelementptr i8, ptr %v30, i64 %v202
  %v204 = mul i64 %v200, %v50
  %v205 = getelementptr i8, ptr %v38, i64 %v204
  %v206 = mul i64 %v200, 128
  %v207 = getelementptr i8, ptr %v86, i64 %v206
  %v208 = mul i64 %v67, 32
  %v209 = getelementptr i8, ptr %v203, i64 %v208
  %v210 = mul i64 %v67, 16
  %v211 = getelementptr i8, ptr %v205, i64 %v210
  %v212 = load <32 x i32>, ptr %v207, align 4
  %v213 = and <32 x i32> %v212, splat (i32 2147483647)
  %v214 = call i32 @llvm.vector.reduce.umax.v32i32(<32 x i32> %v213)
  %v215 = icmp sge i32 %v214, 2139095040
  br i1 %v215, label %then217, label %done218
then217:
  %v218 = getelementptr i8, ptr %step, i64 12
  %v219 = load i32, ptr %v218, align 4
  %v220 = icmp eq i32 %v219, 0
  br i1 %v220, label %then222, label %done223
then222:
  %v223 = trunc i64 %v67 to i32
  %v224 = getelementptr i8, ptr %step, i64 16
  store i32 %v223, ptr %v224, align 4
  %v225 = getelementptr i8, ptr %step, i64 12
  store i32 1, ptr %v225, align 4
  br label %done223
done223:
  br label %done218
done218:
  %v226 = bitcast i32 %v214 to float
  %v227 = icmp slt i32 %v214, 2139095040
  %v228 = fcmp oge float %v226, 0x39B0000000000000
  %v229 = and i1 %v227, %v228
  %v230 = select i1 %v229, float %v226, float 0x3FF0000000000000
  %v231 = fdiv float %v230, 0x405FC00000000000
  %v232 = select i1 %v229, float %v231, float 0x0000000000000000
  %v233 = fdiv float 0x405FC00000000000, %v230
  %v234 = insertelement <32 x i1> poison, i1 %v229, i32 0
  %v235 = shufflevector <32 x i1> %v234, <32 x i1> poison, <32 x i32> zeroinitializer
  %v236 = load <32 x float>, ptr %v207, align 4
  %v237 = select <32 x i1> %v235, <32 x float> %v236, <32 x float> zeroinitializer
  %v238 = insertelement <32 x float> poison, float %v233, i32 0
  %v239 = shufflevector <32 x float> %v238, <32 x float> poison, <32 x i32> zeroinitializer
  %v240 = fmul <32 x float> %v237, %v239
  %v241 = call <32 x float> @llvm.roundeven.v32f32(<32 x float> %v240)
  %v242 = fptosi <32 x float> %v241 to <32 x i32>
  %v243 = trunc <32 x i32> %v242 to <32 x i8>
  store <32 x i8> %v243, ptr %v209, align 1
  %v244 = call i32 @llvm.vector.reduce.add.v32i32(<32 x i32> %v242)
  store float %v232, ptr %v211, align 4
  %v245 = getelementptr i8, ptr %v211, i64 4
  store i32 %v244, ptr %v245, align 4
  %v246 = sitofp i32 %v244 to float
  %v247 = fmul float %v232, %v246
  %v248 = getelementptr i8, ptr %v211, i64 8
  store float %v247, ptr %v248, align 4
  %v249 = add i64 %v200, 1
  store i64 %v249, ptr %c196, align 8
  br label %head198
done200:
  br label %done195
done195:
  %v250 = add i64 %v67, 1
  store i64 %v250, ptr %c63, align 8
  br label %head65
done67:
  ret void
}
