package dev.pinion.core.invoker.content;

import com.fasterxml.jackson.databind.JsonNode;

/** Encoding of values that are no strings, for some media types. */
interface BodyEncoding {
  /**
   * Encodes a value, to the same bytes each time.
   *
   * @throws InvalidBodyException when it has no form in this media type, or one that is too long
   */
  EncodedBody encode(JsonNode value, MediaType mediaType) throws InvalidBodyException;
}
