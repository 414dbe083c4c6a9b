/** Documents of OpenAPI 2 and 3, as far as calls of their operations need them. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.openapi;
