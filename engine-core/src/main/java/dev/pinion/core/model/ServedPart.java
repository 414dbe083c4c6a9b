package dev.pinion.core.model;

import java.util.function.BooleanSupplier;

/**
 * The part of a class's requests that a plan serves.
 *
 * @param fraction in [0, 1): who is served whole has none
 * @param next whether the next request is served; asked once for each, by any thread, never blocks
 */
public record ServedPart(double fraction, BooleanSupplier next) {}
