package dev.pinion.core.jq.value;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Split of a text at a separator, for {@code split} and the division of strings. */
public final class Split {
  private Split() {}

  /** The pieces of a text between separators; its characters when the separator is empty. */
  public static JsonNode split(String text, String separator, EvaluationContext evaluationContext) {
    evaluationContext.scanText(text.length() * 4L);
    List<JsonNode> pieces = new ArrayList<>();
    if (separator.isEmpty()) {
      for (int i = 0; i < text.length(); ) {
        int end = text.offsetByCodePoints(i, 1);
        add(pieces, text.substring(i, end), evaluationContext);
        i = end;
      }
      return JqValues.array(pieces);
    }
    if (text.isEmpty()) {
      return JqValues.EMPTY_ARRAY;
    }
    int from = 0;
    for (int at; (at = text.indexOf(separator, from)) >= 0; from = at + separator.length()) {
      add(pieces, text.substring(from, at), evaluationContext);
    }
    add(pieces, text.substring(from), evaluationContext);
    return JqValues.array(pieces);
  }

  private static void add(
      List<JsonNode> pieces, String piece, EvaluationContext evaluationContext) {
    evaluationContext.charge(4);
    pieces.add(evaluationContext.textNode(piece));
  }
}
