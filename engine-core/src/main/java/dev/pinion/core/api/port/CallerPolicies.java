package dev.pinion.core.api.port;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.interception.Interceptor;

/**
 * How a replica treats callers and their messages.
 *
 * @param bindings classes of callers, and their bindings
 * @param interceptor handlers of inputs and outputs
 */
public record CallerPolicies(BindingSource bindings, Interceptor interceptor) {}
