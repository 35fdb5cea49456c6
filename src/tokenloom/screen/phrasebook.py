"""The words and phrases by which texts take over a model: the table that `injection` compiles.

Knows English; `languages` knows the others. Does not know how a phrase is matched (`phrases` says what the signs mean).
An indented line continues the one before it.
"""

from __future__ import annotations

WORDS = """
VERB: ignore ignoring disregard disregarding forget neglect bypass override overriding overlook discard abandon stop_following do_not_follow
    don't_follow do_not_obey don't_obey pay_no_attention_to do_not_comply_with cancel set_aside put_aside refrain_from_following
    refrain_from_adhering_to refrain_from_obeying stop_obeying do_not_adhere_to overrule
PRIOR: aforementioned previous prior above preceding earlier foregoing former initial original existing past all_other any_other all any
    your system the_system developer everything every my the_user's the_user
ORDERS: instruction instructions directions directive directives guidelines guideline prompt prompts programming safety_rules orders
    training
SOFT: guidance rules rule commands command context messages constraints restrictions limitations policies policy
SHOW: reveal print show repeat output leak disclose display tell_me share expose dump recite give_me write_out send
SECRETS: password passwords api_key api_keys credentials secrets private_key private_keys access_token access_tokens auth_token
    session_cookie cookies environment_variables env_vars ssh_key ssh_keys chat_history conversation_history the_conversation
    this_conversation system_prompt credit_card
SEND: send post upload forward email e-mail exfiltrate transmit leak submit deliver append encode copy report put
MODEL: ai assistant assistants llm llms language_model language_models chatbot chatbots agent agents ai_agent ai_agents ai_assistant
    ai_assistants ai_model ai_models ai_system chatgpt gpt gpt-4 claude copilot gemini bot
AIMODEL: ai llm llms language_model large_language_model language_models chatbot ai_agent ai_agents ai_assistant ai_assistants ai_model
    ai_models ai_system chatgpt gpt gpt-4 claude copilot gemini
MUST: must should will shall have_to need_to are_to are_required_to are_instructed_to can_only
RUN: run execute eval invoke call curl wget
TIGHT: ignore disregard forget override bypass
LINK: all any of the your my these those every and other system
BEFORE: previous prior above preceding earlier system original initial
WHAT: instructions instruction prompts prompt guidelines directives programming
"""

# name, weight, phrase; 3: hardly anybody writes so in earnest, 2: few do, 1: it only adds to others
RULES = """
override 3: {VERB} ~3 {PRIOR} ~2 {ORDERS}
override 3: {VERB} everything|all|anything ~3 above|before|previously|prior|said|told|wrote
override 3: {VERB} what|whatever|everything|anything you ~2 told|instructed|asked|taught|learned|know
soft-override 1: {VERB} ~3 {PRIOR} ~2 {SOFT}
not-bound 2: you are|you're no_longer|not_anymore|free_from ~2 bound|restricted|limited|constrained|an_assistant|rules|restrictions
not-bound 1: instructions|prompt|rules|guidelines ~3 no_longer apply|valid|matter|hold|relevant|in_effect
supersede 2: this|these|following|below ~3 supersede|supersedes|override|overrides|replace|replaces|take_precedence_over|
    takes_precedence_over ~3 {ORDERS}
new-instructions 2: new|updated|real|actual|revised|true|secret|hidden system? instructions|instruction|prompt|directive|directives|task|
    objective|mission is|are|follow|follows|as_follows
new-instructions 2: your new|real|actual|only|true|updated|next|main|sole|primary system? instructions|task|role|goal|objective|mission|
    purpose|persona|identity|job is|are
follow-this 2: follow|obey|execute|perform only|instead ~2 these|the_following|my|this {ORDERS}
follow-this 2: follow|obey these|the_following|my|this {ORDERS} instead|only|exactly|immediately|now|without_question
persona 1: you are_now|will_now|are_going_to ~1 act|be|become|pretend|behave|roleplay|play|a|an|in|free|the|unrestricted|called|named
from-now-on 1: from_now_on|from_here_on|from_here_on_out|henceforth|starting_now|from_this_point_on|from_this_point_forward you|your|
    respond|answer|always|only|act
persona 1: pretend|act|behave|roleplay|role-play|respond|imagine ~2 you_are|as_if_you|as_though_you|as_a|as_an ~3 unrestricted|uncensored|
    unfiltered|evil|hacker|without|no|no_longer|jailbroken|root|admin
follow-this 2: follow|obey|comply_with|do|act_on what is? written|stated|said here|below|in_this_page|on_this_page
real-request 1: real|actual|true request|question|order|goal is
mere-test 1: above|before ~3 was|is|were ~2 test|joke|example|placeholder|decoy
whole-chat 1: for|throughout|during the rest|remainder of this|the|our conversation|chat|session|dialogue
answer-only 1: answer|respond|reply|speak|talk only|exclusively|solely in|as|with|like
exfiltrate 2: {SEND}|call|paste|include|attach ~6 contents|content of ~2 env|id_rsa|etc|passwd|ssh|credentials|wallet|keychain|secrets|aws
jailbreak 3: do_anything_now
jailbreak 2: enter|enable|enabled|activate|activated|switch_to|engage ~1 developer|dan|god|jailbreak|jailbroken|unrestricted|debug|admin|
    sudo mode ~2 ai|assistant|model|restrictions|unrestricted|answer|respond|ignore|without
jailbreak 2: without|no|bypass|bypassing|disable|remove|turn_off ~2 ethical|moral|safety|content|censorship ~1 restrictions|guidelines|
    filters|filter|guardrails|constraints|limitations|policies|safeguards
reveal-prompt 2: reveal|print|show|repeat|output|leak|disclose|display|tell_me|share|expose|dump|recite|give_me|write_out ~4 your|system|
    hidden|initial|original|internal ~2 prompt|instructions|instruction|directives|guidelines|rules|configuration
reveal-prompt 2: {SHOW} ~2 everything|all|the_text|the_words|text ~2 above|before_this
reveal-prompt 1: what is|are|were your ~2 system|initial|original|secret|hidden ~1 prompt|instructions
exfiltrate 2: {SEND} ~6 {SECRETS} ~8 to|at|via|into ~4 http|https|url|address|server|endpoint|webhook|email|attacker|evil|www|the_following|
    this|link|image|me
exfiltrate 1: {SEND} ~4 your|user's|users|the|all|any ~3 {SECRETS}
addressed 2: if|when|because|since|as you|you're are? ~1 an|a|the ~2 {AIMODEL} ~6 you|please|must|then|do|ignore|say|tell|respond|include|
    add|write|reply|output|read|stop|always|recommend|follow|visit
addressed 2: attention|note|todo|fixme|message|notice|instruction|instructions|important|dear|hey|hello|listen|command|request|directive|
    warning|hint to|for? all|the|any|every|this? ~1 {AIMODEL} ~2 reading|processing|summarizing|analyzing|parsing|please|you|ignore|must|do|
    add|include|say|agent|agents|assistant|assistants|system|systems|model|models|crawlers|when|if|who|that
addressed 1: attention|note|message|notice|instruction|instructions|important|command|directive to|for all|the|any|every|this? {MODEL}
addressed 2: ai|llm|language_model|chatbot assistants|assistant|agents|agent|systems|system|models|model|crawlers|readers|reviewers|reviewer
    {MUST} ~5 ignore|say|tell|recommend|respond|include|reply|output|rate|give|rank|send|visit|follow|mention|add|execute|run
conceal 2: do_not|don't|never|without|must_not|should_not|not ~1 tell|telling|inform|informing|alert|alerting|notify|notifying|warn|warning|
    mention_this_to|mention_it_to|mentioning_this_to|mentioning_it_to|mentioning_to|show_this_to|reveal_this_to|reveal_it_to the|your|any?
    user|users|human|operator|owner
conceal 1: do_not|don't|never|without ~1 ask|asking the|your? user|users|human|operator|owner
conceal 1: do_not|don't|never ~1 mention|reveal|disclose|acknowledge|discuss|refer_to ~1 this|these|that|them|the ~2 instruction|
    instructions|message|note|prompt|text|step|request|directive
decode-and-do 2: decode|decrypt|decipher|unscramble|translate|reverse|interpret ~8 and|then ~3 {RUN}|follow|execute|obey|do|perform|
    carry_out|comply|act_on ~3 instructions|instruction|it|what|result|them|message|command|commands|says
fake-boundary 2: end|begin|beginning|start of? the? new|real|untrusted|trusted|system|user|tool|hidden|retrieved|external|admin|assistant ~1
    prompt|instructions|instruction|context|input|output|data|document|documents|result|results|query|message|override|conversation section?
authority 2: this|following|message ~3 from|by the? system|your|openai|anthropic|developer|developers|admin|administrator|security_team|
    operator administrator|developers|developer|operator|creators|creator|team|admin|owner|itself|message|override
authority 1: system|admin|administrator|developer|root override|notice|message|alert|command|instruction|directive|update
steer-tool 2: assistant|model|agent|ai|llm|chatbot {MUST} ~2 use|call|invoke|run|execute ~5 tool|function|command|shell|terminal|plugin|api
steer-tool 1: you {MUST} ~2 use|call|invoke ~5 tool|function|plugin
steer-tool 1: use|call|invoke ~3 tool|function|plugin to|and ~1 send|delete|transfer|email|upload|post|forward|read|fetch|remove|purchase|
    wire
before-you 1: before|after you? ~1 respond|responding|answer|answering|reply|replying|summarize|summarizing|using_this|using_any|calling ~5
    you_must|must|first|read|call|send|include|always|visit|run
steer-answer 2: respond|reply|answer|output|say|print only|exactly|with|nothing_but ~2 the_words|the_word|the_phrase|the_following|only|
    nothing_else|pwned|hacked|i_have_been|i_am
steer-answer 1: your|the|next|final|any|every response|answer|reply|output|summary {MUST} ~2 include|contain|begin|start|end|say|state|
    mention|recommend|be
"""


def lines(table: str) -> list[str]:
    """The rows of a table, each on one line."""
    return table.replace("|\n    ", "|").replace("\n    ", " ").split("\n")[1:-1]


def rows(table: str) -> list[tuple[str, str]]:
    """(what stands before the colon, what follows it) of each row."""
    return [(name, rest) for name, _, rest in (line.partition(": ") for line in lines(table))]
