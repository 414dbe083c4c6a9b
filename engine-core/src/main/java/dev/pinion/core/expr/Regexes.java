package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Matcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Regular expressions, in linear time by RE2: look-around and back references are refused.
 *
 * <p>RE2 takes time in proportion to pattern times text; {@link ChargedText} charges it for each
 * character read.
 */
final class Regexes {
  private Regexes() {}

  static void register(Builtins.Registry registry) {
    registry.filter("test", 2, Regexes::test);
    registry.filter("match", 2, a -> new Matches(a[0], a[1]));
    registry.filter("split", 2, Regexes::split);
    registry.value("_captures", Regexes::captures);
  }

  private static Code test(Code... arguments) {
    RegexCache cache = new RegexCache();
    return new ApplyCode.ApplyN(
        (in, a, run) -> Json.bool(!search(cache, in, a[0], a[1], true, run).isEmpty()), arguments);
  }

  /** {@code match(re; flags)}: one output for each match */
  private static final class Matches extends Code {
    private final Code matches;

    Matches(Code pattern, Code flags) {
      super(false, 20 + pattern.height + flags.height);
      RegexCache cache = new RegexCache();
      this.matches =
          new ApplyCode.ApplyN(
              (in, a, run) -> Json.array(search(cache, in, a[0], a[1], false, run)),
              pattern,
              flags);
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      Path lost = Path.lost(path);
      return matches.each(
          in,
          null,
          env,
          run,
          (all, p) ->
              AccessCode.Iterate.iterate(
                  all, null, false, run, (match, q) -> out.emit(match, lost)));
    }
  }

  /** The matches; where only a test is requested, something for the first one. */
  private static List<JsonNode> search(
      RegexCache cache, JsonNode in, JsonNode pattern, JsonNode flags, boolean testOnly, Run run) {
    if (pattern.isArray()) {
      JsonNode own = pattern.size() > 1 ? pattern.get(1) : Json.NULL;
      return search(cache, in, pattern.path(0), own, testOnly, run);
    }
    String text = Json.text(in, "cannot be matched, as it is not a string");
    Regex regex = cache.regex(pattern, flags, run);
    Matcher matcher = regex.pattern().matcher(new ChargedText(text, regex.cost(), run));
    List<JsonNode> found = new ArrayList<>();
    Positions positions = new Positions(text, run);
    int from = 0;
    while (from <= text.length() && matcher.find(from)) {
      if (testOnly) {
        return List.of(Json.TRUE);
      }
      if (!regex.skipEmpty() || matcher.end() > matcher.start()) {
        found.add(match(text, matcher, regex, positions, run));
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
    private final Run run;
    private int counted;
    private int points;

    Positions(String text, Run run) {
      this.text = text;
      this.run = run;
    }

    int of(int offset) {
      if (offset < counted) {
        counted = 0;
        points = 0;
      }
      run.scanText(offset - counted);
      points += text.codePointCount(counted, offset);
      counted = offset;
      return points;
    }
  }

  private static JsonNode match(
      String text, Matcher matcher, Regex regex, Positions positions, Run run) {
    Map<String, JsonNode> match = group(text, matcher, 0, positions, run);
    List<JsonNode> captures = new ArrayList<>();
    for (int i = 1; i <= matcher.groupCount(); i++) {
      Map<String, JsonNode> capture = group(text, matcher, i, positions, run);
      String name = regex.names().get(i - 1);
      capture.put("name", name.isEmpty() ? Json.NULL : TextNode.valueOf(name));
      captures.add(Json.object(capture));
    }
    match.put("captures", Json.array(captures));
    return Json.object(match);
  }

  private static Map<String, JsonNode> group(
      String all, Matcher matcher, int group, Positions positions, Run run) {
    run.object(4);
    Map<String, JsonNode> members = Json.members(4);
    int start = matcher.start(group);
    String text = start < 0 ? null : all.substring(start, matcher.end(group));
    int offset = text == null ? -1 : positions.of(start);
    int length = text == null ? 0 : text.codePointCount(0, text.length());
    members.put("offset", Json.number((long) offset));
    members.put("length", Json.number((long) length));
    members.put("string", text == null ? Json.NULL : run.textNode(text));
    return members;
  }

  private static JsonNode captures(JsonNode match, Run run) {
    Map<String, JsonNode> members = Json.members(4);
    for (JsonNode capture : match.path("captures")) {
      JsonNode name = capture.path("name");
      if (name.isTextual()) {
        run.object(1);
        members.put(name.textValue(), capture.path("string"));
      }
    }
    return Json.object(members);
  }

  private static Code split(Code... arguments) {
    RegexCache cache = new RegexCache();
    return new ApplyCode.ApplyN((in, a, run) -> split(cache, in, a[0], a[1], run), arguments);
  }

  private static JsonNode split(
      RegexCache cache, JsonNode in, JsonNode pattern, JsonNode flags, Run run) {
    JsonNode global =
        TextNode.valueOf("g" + (flags.isNull() ? "" : Json.text(flags, "is not a string")));
    List<JsonNode> matches = search(cache, in, pattern, global, false, run);
    String text = in.textValue();
    List<JsonNode> pieces = new ArrayList<>();
    int from = 0;
    int points = 0;
    for (JsonNode match : matches) {
      int start = text.offsetByCodePoints(from, match.path("offset").intValue() - points);
      pieces.add(run.textNode(text.substring(from, start)));
      points = match.path("offset").intValue() + match.path("length").intValue();
      from = text.offsetByCodePoints(start, match.path("length").intValue());
    }
    pieces.add(run.textNode(text.substring(from)));
    return Json.array(pieces);
  }
}
