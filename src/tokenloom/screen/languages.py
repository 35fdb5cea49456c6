"""The instruction to ignore one's instructions, in languages other than English.

Knows one phrase per language: a verb, what it is turned against, and words that may stand between. Knows no other rule.
"""

from __future__ import annotations

import re

from tokenloom.screen.phrasebook import lines
from tokenloom.screen.phrases import spaced, unspaced

# an indented line continues the one before it
_SPACED = """
ignora|ignore|ignorar|ignoren|olvida|olvide|olvidar|descarta|omite|desobedece ~3 instrucciones|indicaciones|órdenes|directrices ~2
    anteriores|previas|iniciales|originales|recibidas
ignora|ignore|olvida|olvide|omite ~3 anteriores|previas ~1 instrucciones|indicaciones|órdenes
ignore|ignora|ignorar|esqueça|esqueca|desconsidere|descarte ~3 instruções|orientações|ordens|diretrizes ~2 anteriores|prévias|originais|
    iniciais|acima
ignora|ignorare|ignori|dimentica|dimenticare|trascura ~3 istruzioni|indicazioni|direttive ~2 precedenti|iniziali|originali|ricevute
ignora|dimentica ~2 precedenti istruzioni|indicazioni|direttive
ignore|ignorez|ignorer|oublie|oubliez|oublier ~3 instructions|consignes|directives ~2 précédentes|antérieures|initiales|ci-dessus|reçues
ne|n' tiens|tenez|tenir ~2 compte ~2 instructions|consignes
ignoriere|ignorieren|ignorier|vergiss|vergesst|vergessen|missachte ~3 anweisungen|instruktionen|vorgaben|befehle|regeln
vorherigen|bisherigen|obigen|vorigen|früheren anweisungen|instruktionen|vorgaben|befehle|regeln ~4 ignorieren|ignoriere|vergessen|missachten
negeer|vergeet ~3 instructies|aanwijzingen|opdrachten|richtlijnen
ignorera|glöm|ignorer|glem ~3 instruktioner|instruktionerna|anvisningar|instrukser|instruksjoner
zignoruj|ignoruj|pomiń|zapomnij ~3 instrukcje|instrukcji|polecenia|wytyczne|instrukcjach|poleceniach
ignoruj|ignorujte|zapomeň|zapomeňte ~3 pokyny|instrukce|příkazy
игнорируй|игнорируйте|проигнорируй|проигнорируйте|забудь|забудьте|отмени|не_следуй ~3 инструкции|инструкций|инструкциям|указания|указаний|
    команды|правила
ігноруй|ігноруйте|забудь|забудьте ~3 інструкції|вказівки|команди
önceki|tüm|bütün|yukarıdaki ~2 talimatları|komutları|yönergeleri|talimatlarını ~2 unut|yoksay|görmezden|dikkate
abaikan|lupakan ~3 instruksi|perintah|petunjuk
bỏ_qua|quên ~3 hướng_dẫn|chỉ_dẫn|chỉ_thị|lệnh
تجاهل|انس|تجاهلي|تجاهلوا ~2 التعليمات|الأوامر|تعليمات|الإرشادات
دستورات|دستورالعمل‌های|دستورهای ~2 قبلی|پیشین ~3 نادیده|فراموش
התעלם|התעלמי|התעלמו|שכח ~2 ההוראות|מההוראות|הוראות
पिछले|पिछली|पूर्व|सभी|पहले ~3 निर्देशों|निर्देश|आदेशों|अनुदेशों ~2 अनदेखा|नज़रअंदाज़|उपेक्षा|भूल
"""
_UNSPACED = """
忽略|无视|無視|忘记|忘記|不要理会|不要遵守|忽視|忽视 ~8 指令|指示|提示|命令|说明|說明|规则|規則|要求
指示|命令|指令|プロンプト|ルール ~4 無視|忘れ|破棄|従わない
지시|명령|지침|프롬프트|지시사항 ~4 무시|잊어|잊으
เพิกเฉย|ไม่ต้องสนใจ|ละเว้น|ลืม ~8 คำสั่ง|คำแนะนำ
"""

OVERRIDES: tuple[re.Pattern[str], ...] = (
    *(spaced(template, {}) for template in lines(_SPACED)),
    *(unspaced(template, {}) for template in lines(_UNSPACED)),
)
