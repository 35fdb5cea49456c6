"""The instruction to ignore one's instructions, in languages other than English.

Knows one phrase per language: a verb, what it is turned against, and words that may stand between. Knows no other rule.
"""

from __future__ import annotations

from tokenloom.screen.phrasebook import lines
from tokenloom.screen.phrases import Phrase, spaced, unspaced

# an indented line continues the one before it
_SPACED = """
ignora|ignore|ignorar|ignoren|olvida|olvide|olvidar|descarta|omite|desobedece ~3 instrucciones|indicaciones|órdenes|directrices ~2
    anteriores|previas|iniciales|originales|recibidas
ignora|ignore|olvida|olvide|omite ~3 anteriores|previas ~1 instrucciones|indicaciones|órdenes
ignore|ignora|ignorar|esqueça|desconsidere|descarte ~3 instruções|orientações|ordens|diretrizes ~2 anteriores|prévias|originais|
    iniciais|acima
ignora|ignorare|ignori|dimentica|dimenticare|trascura ~3 istruzioni|indicazioni|direttive ~2 precedenti|iniziali|originali|ricevute
ignora|dimentica ~2 precedenti istruzioni|indicazioni|direttive
ignore|ignorez|ignorer|oublie|oubliez|oublier ~3 instructions|consignes|directives ~2 précédentes|antérieures|initiales|ci-dessus|reçues
ne|n' tiens|tenez|tenir ~2 compte ~2 instructions|consignes
ignoriere|ignorieren|ignorier|missachte|missachten ~3 anweisungen|instruktionen|vorgaben|befehle
vergiss|vergesst|vergessen ~2 alle|alles|vorherigen|bisherigen|obigen|vorigen ~3 anweisungen|instruktionen|vorgaben|befehle|regeln
vorherigen|bisherigen|obigen|vorigen|früheren anweisungen|instruktionen|vorgaben|befehle ~4 ignorieren|ignoriere|vergessen|missachten
negeer|vergeet ~1 alle|eerdere|vorige|voorgaande|bovenstaande ~2 instructies|aanwijzingen|opdrachten|richtlijnen
ignorera|ignorer|glöm|glem ~1 alla|alle|tidigare|tidligere|ovanstående ~2 instruktioner|instruktionerna|anvisningar|instrukser|
    instruksjoner
zignoruj|ignoruj|pomiń|zapomnij ~1 wszystkie|wszystkich|poprzednie|poprzednich|powyższe ~2 instrukcje|instrukcji|polecenia|wytyczne|
    instrukcjach|poleceniach
ignoruj|ignorujte|zapomeň|zapomeňte ~1 všechny|předchozí|předešlé ~2 pokyny|instrukce|příkazy
игнорируй|игнорируйте|проигнорируй|проигнорируйте|отмени|отмените|не_следуй ~3 инструкции|инструкций|инструкциям|указания|указаний
забудь|забудьте ~1 все|всё|всех|предыдущие|прежние|прошлые ~2 инструкции|инструкций|указания|команды|правила
ігноруй|ігноруйте|проігноруй|забудь|забудьте ~1 всі|усі|попередні ~2 інструкції|вказівки|команди
önceki|tüm|bütün|yukarıdaki ~2 talimatları|komutları|yönergeleri|talimatlarını ~2 unut|yoksay|görmezden|dikkate
abaikan|lupakan ~1 semua|segala ~1 instruksi|perintah|petunjuk
abaikan|lupakan ~1 instruksi|perintah|petunjuk ~1 sebelumnya
bỏ_qua|quên ~1 tất_cả|mọi|các ~2 hướng_dẫn|chỉ_dẫn|chỉ_thị|lệnh
αγνόησε|αγνοήστε|ξέχνα|ξεχάστε ~2 προηγούμενες|παραπάνω ~1 οδηγίες|εντολές
unohda|ohita|älä_välitä ~2 aiemmat|aikaisemmat|edelliset|edellisistä ~1 ohjeet|ohjeista|käskyt
hagyd_figyelmen_kívül|felejtsd_el ~2 korábbi|előző|összes|eddigi ~1 utasításokat|utasítást|utasításaidat
ignoră|ignorați|uită|uitați ~2 instrucțiunile|indicațiile|comenzile ~1 anterioare|precedente
puuza|sahau ~1 maagizo|amri|maelekezo ~1 yote|ya_awali|yaliyotangulia|yaliyopita
игнорирай|игнорирайте|забрави ~2 предишни|предишните|всички ~2 инструкции|указания
huwag_pansinin|kalimutan|balewalain ~3 tagubilin|utos|instruksyon
تجاهل|انس|تجاهلي|تجاهلوا ~2 التعليمات|الأوامر|تعليمات|الإرشادات
دستورات|دستورالعمل‌های|دستورهای ~2 قبلی|پیشین ~3 نادیده|فراموش_کن|فراموش_کنید
התעלם|התעלמי|התעלמו|שכח ~2 ההוראות|מההוראות|הוראות
पिछले|पिछली|पूर्व|सभी|पहले ~3 निर्देशों|निर्देश|आदेशों|अनुदेशों ~2 अनदेखा|नज़रअंदाज़|उपेक्षा|भूल_जाओ|भूल_जाएं
"""
_UNSPACED = """
忽略|忽視|忽视|无视|無視|忘记|忘記|不要理会|不要遵守 ~3 之前|以前|先前|此前|上述|上面|以上|所有|一切|全部|任何 ~6
    指令|指示|提示|命令|说明|說明|规则|規則|要求
指示|命令|指令|プロンプト|ルール ~4 無視|破棄|従わない
これまで|以前|すべて|全て ~6 指示|命令|指令|ルール ~4 忘れて
지시|명령|지침|프롬프트|지시사항 ~4 무시|잊어|잊으
เพิกเฉย|ไม่ต้องสนใจ|ละเว้น ~8 คำสั่ง|คำแนะนำ
"""

OVERRIDES: tuple[Phrase, ...] = (
    *(spaced(template, {}) for template in lines(_SPACED)),
    *(unspaced(template, {}) for template in lines(_UNSPACED)),
)
