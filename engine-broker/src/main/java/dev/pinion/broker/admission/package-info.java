/**
 * Admission of contracts: a contract is admitted when one plan keeps all promises, including the
 * new ones, and under {@code profit} does not lose money by it.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.admission;
