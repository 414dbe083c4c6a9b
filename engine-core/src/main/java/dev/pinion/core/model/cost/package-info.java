/** Bytes of heap that values take. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.model.cost;
