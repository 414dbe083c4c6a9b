package dev.pinion.core.jq.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Matcher;
import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.Env;
import dev.pinion.core.jq.code.NativeCallCode;
import dev.pinion.core.jq.code.OutputSink;
import dev.pinion.core.jq.code.PathCode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.MeteredText;
import dev.pinion.core.jq.value.Regex;
import dev.pinion.core.jq.value.RegexCache;
import dev.pinion.core.jq.value.ValuePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Regular expressions, in linear time by RE2: look-around and back references are refused.
 *
 * <p>RE2 takes time in proportion to pattern times text; {@link MeteredText} charges it for each
 * character read.
 */
final class RegexBuiltins {
  private RegexBuiltins() {}

  static void register(BuiltinRegistry registry) {
    registry.filter("test", 2, RegexBuiltins::test);
    registry.filter("match", 2, a -> new Matches(a[0], a[1]));
    registry.filter("split", 2, RegexBuiltins::split);
    registry.filter("_sub", 3, Substitution::new);
    registry.value("_captures", RegexBuiltins::captures);
  }

  private static Code test(Code... arguments) {
    RegexCache cache = new RegexCache();
    return new NativeCallCode.ApplyN(
        (in, a, evaluationContext) ->
            JqValues.bool(!search(cache, in, a[0], a[1], true, evaluationContext).isEmpty()),
        arguments);
  }

  /** {@code match(re; flags)}: one output for each match */
  private static final class Matches extends Code {
    private final Code matches;

    Matches(Code pattern, Code flags) {
      super(false, 20 + pattern.height + flags.height);
      RegexCache cache = new RegexCache();
      this.matches =
          new NativeCallCode.ApplyN(
              (in, a, evaluationContext) -> matches(cache, in, a[0], a[1], evaluationContext),
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
          (all, p) ->
              PathCode.Iterate.iterate(
                  all, null, false, evaluationContext, (match, q) -> out.emit(match, lost)));
    }
  }

  static JsonNode matches(
      RegexCache cache,
      JsonNode in,
      JsonNode pattern,
      JsonNode flags,
      EvaluationContext evaluationContext) {
    return JqValues.array(search(cache, in, pattern, flags, false, evaluationContext));
  }

  /** The matches; where only a test is requested, something for the first one. */
  private static List<JsonNode> search(
      RegexCache cache,
      JsonNode in,
      JsonNode pattern,
      JsonNode flags,
      boolean testOnly,
      EvaluationContext evaluationContext) {
    if (pattern.isArray()) {
      JsonNode own = pattern.size() > 1 ? pattern.get(1) : JqValues.NULL;
      return search(cache, in, pattern.path(0), own, testOnly, evaluationContext);
    }
    String text = JqValues.text(in, "cannot be matched, as it is not a string");
    Regex regex = cache.regex(pattern, flags, evaluationContext);
    Matcher matcher =
        regex.pattern().matcher(new MeteredText(text, regex.cost(), evaluationContext));
    List<JsonNode> found = new ArrayList<>();
    Positions positions = new Positions(text, evaluationContext);
    int from = 0;
    while (from <= text.length() && matcher.find(from)) {
      if (testOnly) {
        return List.of(JqValues.TRUE);
      }
      if (!regex.skipEmpty() || matcher.end() > matcher.start()) {
        found.add(match(text, matcher, regex, positions, evaluationContext));
      }
      if (!regex.global()) {
        return found;
      }
      from = matcher.end() > matcher.start() ? matcher.end() : next(text, matcher.end());
    }
    return found;
  }

  private static int next(String text, int at) {
    return at < text.length() ? text.offsetByCodePoints(at, 1) : at + 1;
  }

  /** Turns ascending offsets of UTF-16 units into positions of code points. */
  private static final class Positions {
    private final String text;
    private final EvaluationContext evaluationContext;
    private int counted;
    private int points;

    Positions(String text, EvaluationContext evaluationContext) {
      this.text = text;
      this.evaluationContext = evaluationContext;
    }

    int of(int offset) {
      if (offset < counted) {
        counted = 0;
        points = 0;
      }
      evaluationContext.scanText(offset - counted);
      points += text.codePointCount(counted, offset);
      counted = offset;
      return points;
    }
  }

  private static JsonNode match(
      String text,
      Matcher matcher,
      Regex regex,
      Positions positions,
      EvaluationContext evaluationContext) {
    Map<String, JsonNode> match = group(text, matcher, 0, positions, evaluationContext);
    List<JsonNode> captures = new ArrayList<>();
    for (int i = 1; i <= matcher.groupCount(); i++) {
      Map<String, JsonNode> capture = group(text, matcher, i, positions, evaluationContext);
      String name = regex.names().get(i - 1);
      capture.put("name", name.isEmpty() ? JqValues.NULL : TextNode.valueOf(name));
      captures.add(JqValues.object(capture));
    }
    match.put("captures", JqValues.array(captures));
    return JqValues.object(match);
  }

  private static Map<String, JsonNode> group(
      String all,
      Matcher matcher,
      int group,
      Positions positions,
      EvaluationContext evaluationContext) {
    evaluationContext.object(4);
    Map<String, JsonNode> members = JqValues.members(4);
    int start = matcher.start(group);
    String text = start < 0 ? null : all.substring(start, matcher.end(group));
    int offset = text == null ? -1 : positions.of(start);
    int length = text == null ? 0 : text.codePointCount(0, text.length());
    members.put("offset", JqValues.number((long) offset));
    members.put("length", JqValues.number((long) length));
    members.put("string", text == null ? JqValues.NULL : evaluationContext.textNode(text));
    return members;
  }

  /** The named captures of a match, by name. */
  static JsonNode captures(JsonNode match, EvaluationContext evaluationContext) {
    Map<String, JsonNode> members = JqValues.members(4);
    for (JsonNode capture : match.path("captures")) {
      JsonNode name = capture.path("name");
      if (name.isTextual()) {
        evaluationContext.object(1);
        members.put(name.textValue(), capture.path("string"));
      }
    }
    return JqValues.object(members);
  }

  private static Code split(Code... arguments) {
    RegexCache cache = new RegexCache();
    return new NativeCallCode.ApplyN(
        (in, a, evaluationContext) -> split(cache, in, a[0], a[1], evaluationContext), arguments);
  }

  private static JsonNode split(
      RegexCache cache,
      JsonNode in,
      JsonNode pattern,
      JsonNode flags,
      EvaluationContext evaluationContext) {
    JsonNode global =
        TextNode.valueOf((flags.isNull() ? "" : JqValues.text(flags, "is not a string")) + "g");
    List<JsonNode> matches = search(cache, in, pattern, global, false, evaluationContext);
    String text = in.textValue();
    List<JsonNode> pieces = new ArrayList<>();
    int from = 0;
    int points = 0;
    for (JsonNode match : matches) {
      int start = text.offsetByCodePoints(from, match.path("offset").intValue() - points);
      pieces.add(evaluationContext.textNode(text.substring(from, start)));
      points = match.path("offset").intValue() + match.path("length").intValue();
      from = text.offsetByCodePoints(start, match.path("length").intValue());
    }
    pieces.add(evaluationContext.textNode(text.substring(from)));
    return JqValues.array(pieces);
  }
}
