/** Filters and pages of lists: instances, definitions, history. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.api.filter;
