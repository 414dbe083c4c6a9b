/** Values of HTTP messages: targets, fields, problems, responses; nothing of connections. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.http.message;
