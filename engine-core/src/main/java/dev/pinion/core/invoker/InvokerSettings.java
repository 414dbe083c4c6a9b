package dev.pinion.core.invoker;

import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.PayloadCodec;
import java.util.function.BooleanSupplier;

/**
 * What all callers of one engine share.
 *
 * @param limits bounds of calls and connections
 * @param codec reads and writes JSON bodies
 * @param tls who is trusted
 * @param channels channels that fit the event loops
 * @param userAgent value of the User-Agent field when a definition gives none, such as {@code
 *     pinion/1.0.0}
 * @param heapHasRoom whether a further value may be made of an answer. Any thread
 */
public record InvokerSettings(
    EngineLimits.Invoker limits,
    PayloadCodec codec,
    InvokerTls tls,
    ChannelTypes channels,
    String userAgent,
    BooleanSupplier heapHasRoom) {}
