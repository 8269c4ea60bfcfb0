//! Shapes of model providers and what goes with them.

use super::Shape;

pub(super) const SHAPES: &[Shape] = &[
    ("anthropic-key", r"<sk-ant-[a-z0-9]{2,12}-[A-Za-z0-9_-]{20,}"),
    ("openrouter-key", r"<sk-or-v1-[0-9a-f]{64}"),
    ("langfuse-key", r"<sk-lf-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"),
    ("openai-key", r"<sk-(?:proj|svcacct|admin|None|service)-[A-Za-z0-9_-]{20,}"),
    ("openai-key", r"<sk-[A-Za-z0-9]{32,}"),
    ("huggingface-token", r"<hf_[A-Za-z0-9]{30,}"),
    ("huggingface-token", r"<api_org_[A-Za-z]{34}"),
    ("groq-key", r"<gsk_[A-Za-z0-9]{40,}"),
    ("xai-key", r"<xai-[A-Za-z0-9]{60,}"),
    ("perplexity-key", r"<pplx-[A-Za-z0-9]{40,}"),
    ("replicate-token", r"<r8_[A-Za-z0-9]{37,}"),
    ("together-key", r"<tgp_v1_[A-Za-z0-9_-]{40,}"),
    ("fireworks-key", r"<fw_[A-Za-z0-9]{22,}"),
    ("cerebras-key", r"<csk-[a-z0-9]{40,}"),
    ("nvidia-key", r"<nvapi-[A-Za-z0-9_-]{60,}"),
    ("elevenlabs-key", r"<sk_[0-9a-f]{48}"),
    ("langsmith-key", r"<lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    ("pinecone-key", r"<pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{60,}"),
    ("tavily-key", r"<tvly-[A-Za-z0-9-]{20,}"),
    ("e2b-key", r"<e2b_[0-9a-f]{40}"),
    ("cursor-key", r"<crsr_[0-9a-f]{64}"),
    ("cursor-key", r"(?i)cursor[^\n]{0,60}?\b(key_[0-9a-f]{64})"),
    ("amp-token", r"<sgamp_user_[A-Za-z0-9_]{40,}"),
];
