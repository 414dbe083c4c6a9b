package dev.pinion.core.limits;

/** Bounds of secrets and of authentication to services, in each replica. */
public record AuthenticationLimits(
    @Limit(
            value = 64 << 10,
            min = 256,
            max = 1 << 24,
            says = "bytes of a secret; calls that need a larger one fail")
        int maxSecretBytes,
    @Limit(
            value = 1_000,
            min = 1,
            max = 1_000_000,
            says = "secrets in memory; beyond it the one unused for longest is read again")
        int maxSecrets,
    @Limit(
            value = 1_000,
            min = 0,
            max = 3_600_000,
            says = "time that a secret is used without a look at its source")
        int secretMillis,
    @Limit(
            value = 1_000,
            min = 1,
            max = 1_000_000,
            says =
                "tokens and nonces of digest authentication in memory; beyond it the one unused "
                    + "for longest is requested again")
        int maxTokens,
    @Limit(
            value = 10_000,
            min = 1,
            max = 1_000_000,
            says = "calls that wait for secrets or tokens; a further one fails with status 503")
        int maxWaiting,
    @Limit(value = 10_000, min = 1, max = 600_000, says = "time to get a token")
        int tokenTimeoutMillis,
    @Limit(
            value = 30,
            min = 0,
            max = 3_600,
            says = "time before its end at which a token is renewed, at most half of its life")
        int renewAheadSeconds,
    @Limit(value = 300, min = 1, max = 86_400, says = "life of a token whose server does not say")
        int tokenSeconds) {}
