/** Tests of the shared nouns. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.model;
