package dev.pinion.core.binding;

import java.util.function.BooleanSupplier;

/**
 * Part of a class's requests that a plan serves.
 *
 * @param fraction in [0, 1): a class that is served completely has no such part
 * @param next whether the next request is served; called once for each, by any thread, never blocks
 */
public record ServedFraction(double fraction, BooleanSupplier next) {}
