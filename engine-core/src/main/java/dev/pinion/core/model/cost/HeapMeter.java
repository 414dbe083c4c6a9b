package dev.pinion.core.model.cost;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import java.io.IOException;

/**
 * Estimates the heap bytes of a tree while it is parsed, and stops the parser at a bound, before
 * the whole tree is built.
 */
public final class HeapMeter extends JsonParserDelegate {
  /** Most heap bytes of a tree for each byte of its JSON. */
  public static final int MOST_FOR_A_BYTE = 64;

  private final long bound;
  private long heap;

  /** The value would exceed the bound. */
  public static final class TooLarge extends JsonProcessingException {
    private static final long serialVersionUID = 1;

    TooLarge(String message) {
      super(message);
    }
  }

  public HeapMeter(JsonParser parser, long bound) {
    super(parser);
    this.bound = bound;
  }

  @Override
  public JsonToken nextToken() throws IOException {
    JsonToken token = delegate.nextToken();
    if (token != null) {
      heap += cost(token);
      if (heap > bound) {
        throw new TooLarge("too large");
      }
    }
    return token;
  }

  private long cost(JsonToken token) throws IOException {
    return switch (token) {
      case START_OBJECT -> HeapCost.objectOfFew();
      case START_ARRAY -> HeapCost.array(1);
      case FIELD_NAME -> HeapCost.member(delegate.currentName().length());
      case VALUE_STRING -> HeapCost.item() + HeapCost.text(delegate.getTextLength());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          HeapCost.item() + HeapCost.number(delegate.getTextLength());
      default -> HeapCost.item();
    };
  }
}
