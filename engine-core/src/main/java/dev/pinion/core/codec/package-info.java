/** JSON and binary forms of payloads, and compression, within limits. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.codec;
