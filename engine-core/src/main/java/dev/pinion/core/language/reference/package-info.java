/**
 * What definitions refer to: the components under {@code use}, catalogs of functions, and documents
 * and resources of their own.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.language.reference;
