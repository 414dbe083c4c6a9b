/** JSON and binary forms of payloads, within limits. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.codec;
