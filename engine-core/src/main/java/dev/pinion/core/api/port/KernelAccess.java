package dev.pinion.core.api.port;

import dev.pinion.core.model.HeapAccount;

/**
 * The kernels of a replica, for its requests.
 *
 * @param dispatcher takes messages to them
 * @param heap account of the heap that their values take
 */
public record KernelAccess(KernelDispatcher dispatcher, HeapAccount heap) {}
