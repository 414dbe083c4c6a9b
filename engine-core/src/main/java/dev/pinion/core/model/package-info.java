/** Nouns that every other package shares: payloads, ids, errors, and the expression port. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.model;
