package dev.pinion.core.jq.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.ConstructionCode;
import dev.pinion.core.jq.code.Env;
import dev.pinion.core.jq.code.NativeCallCode;
import dev.pinion.core.jq.code.OutputSink;
import dev.pinion.core.jq.value.Arithmetic;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.RegexCache;
import dev.pinion.core.jq.value.ValuePath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code sub(re; replacement; flags)}: puts the first output of the replacement in the place of
 * each match, then all second outputs, and so on; without any output the text stays.
 */
final class Substitution extends Code {
  private final Code matches;
  private final Code replacement;

  Substitution(Code... arguments) {
    super(false, 24 + arguments[0].height + arguments[1].height + arguments[2].height);
    RegexCache cache = new RegexCache();
    this.matches = matches(cache, arguments[0], arguments[2]);
    this.replacement = arguments[1];
  }

  private static Code matches(RegexCache cache, Code pattern, Code flags) {
    return new NativeCallCode.ApplyN(
        (in, a, evaluationContext) ->
            RegexBuiltins.matches(cache, in, a[0], a[1], evaluationContext),
        pattern,
        flags);
  }

  @Override
  public boolean each(
      JsonNode in,
      @Nullable ValuePath valuePath,
      @Nullable Env env,
      EvaluationContext evaluationContext,
      OutputSink out) {
    ValuePath lost = ValuePath.detached(valuePath);
    return matches.each(
        in,
        null,
        env,
        evaluationContext,
        (found, p) -> {
          Editing editing = new Editing(in.textValue(), evaluationContext);
          for (JsonNode match : found) {
            JsonNode captures = RegexBuiltins.captures(match, evaluationContext);
            editing.replace(
                match, ConstructionCode.collect(replacement, captures, env, evaluationContext));
          }
          return editing.emit(in, lost, out);
        });
  }

  /** The texts made so far, one for each output of the replacement. */
  private static final class Editing {
    private final String text;
    private final EvaluationContext evaluationContext;
    private final List<StringBuilder> edited = new ArrayList<>();

    /** Where the latest match ended, in UTF-16 units and in code points. */
    private int from;

    private int points;

    Editing(String text, EvaluationContext evaluationContext) {
      this.text = text;
      this.evaluationContext = evaluationContext;
    }

    void replace(JsonNode match, List<JsonNode> inserts) {
      int offset = match.path("offset").intValue();
      int length = match.path("length").intValue();
      int start = text.offsetByCodePoints(from, offset - points);
      String kept = text.substring(from, start);
      for (int i = 0; i < inserts.size(); i++) {
        if (i == edited.size()) {
          evaluationContext.charge(4);
          edited.add(new StringBuilder());
        }
        append(edited.get(i), kept, inserts.get(i));
      }
      from = text.offsetByCodePoints(start, length);
      points = offset + length;
    }

    private void append(StringBuilder to, String kept, JsonNode insert) {
      JsonNode added = Arithmetic.add(TextNode.valueOf(kept), insert, evaluationContext);
      evaluationContext.text(added.textValue().length());
      evaluationContext.checkText((long) to.length() + added.textValue().length());
      to.append(added.textValue());
    }

    boolean emit(JsonNode unchanged, @Nullable ValuePath lost, OutputSink out) {
      if (edited.isEmpty()) {
        return out.emit(unchanged, lost);
      }
      for (StringBuilder each : edited) {
        evaluationContext.checkText((long) each.length() + text.length() - from);
        String whole = each.append(text, from, text.length()).toString();
        if (!out.emit(evaluationContext.textNode(whole), lost)) {
          return false;
        }
      }
      return true;
    }
  }
}
