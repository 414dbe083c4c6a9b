/** Every bound: name, range, default and relations. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.limits;
