/** JSON values as jq sees them, their order and arithmetic, and what an evaluation may spend. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.jq.value;
