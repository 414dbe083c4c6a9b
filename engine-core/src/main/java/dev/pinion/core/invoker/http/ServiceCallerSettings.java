package dev.pinion.core.invoker.http;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.InvokerLimits;
import java.util.function.BooleanSupplier;

/**
 * Common settings of all callers of one engine.
 *
 * @param limits bounds of calls and connections
 * @param codec codec of JSON bodies
 * @param tls trusted certificates
 * @param channels channels that fit the event loops
 * @param userAgent value of the User-Agent field when a definition gives none, such as {@code
 *     pinion/1.0.0}
 * @param heapHasRoom whether the heap has room for another response. Any thread
 */
public record ServiceCallerSettings(
    InvokerLimits limits,
    PayloadCodec codec,
    ClientTls tls,
    ChannelTypes channels,
    String userAgent,
    BooleanSupplier heapHasRoom) {}
