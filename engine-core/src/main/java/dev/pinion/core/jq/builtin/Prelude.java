package dev.pinion.core.jq.builtin;

import dev.pinion.core.jq.syntax.Parser;
import dev.pinion.core.jq.syntax.Syntax;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The functions written in jq; each expression compiles the ones that it uses. */
public final class Prelude {
  private static final String SOURCE =
      """
      def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
      def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
      def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
      def fromdate: fromdateiso8601;
      def date: todate;
      def dateadd(u; n): . + n;
      def datesub(u; n): . - n;
      def finites: select(isinfinite or isnan | not);
      def normals: select(isnormal);
      def combinations:
        if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;
      def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;
      def walk(f):
        def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f;
        w;
      def in(xs): . as $x | xs | has($x);
      def inside(xs): . as $x | xs | contains($x);
      def nth($n; f):
        if $n < 0 then error("nth doesn't support negative indices") else first(skip($n; f)) end;
      def recurse(f; condition): recurse(f | select(condition));
      def recurse_down: recurse;
      def ascii: [.] | implode;
      def tostream:
        path(def r: (.[]? | r), .; r) as $p
        | getpath($p)
        | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);
      def fromstream(f):
        { x: null, e: false } as $init
        | foreach f as $i
            ( $init;
              if .e then $init else . end
              | if $i | length == 2
                then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1])
                else setpath(["e"]; $i[0] | length == 1) end;
              if .e then .x else empty end );
      def truncate_stream(stream):
        . as $n | null | stream | . as $input
        | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;
      def INDEX(stream; idx_expr):
        reduce stream as $row ({}; .[$row | idx_expr | tostring] = $row);
      def INDEX(idx_expr): INDEX(.[]; idx_expr);
      def JOIN($idx; idx_expr): [.[] | [., $idx[idx_expr]]];
      def JOIN($idx; stream; idx_expr): stream | [., $idx[idx_expr]];
      def JOIN($idx; stream; idx_expr; join_expr): stream | [., $idx[idx_expr]] | join_expr;
      def isfinite: type == "number" and (isinfinite | not);
      def IN(s): any(s == .; .);
      def IN(src; s): any(src == s; .);
      def pick(pathexps):
        . as $top
        | reduce path(pathexps) as $p (null; setpath($p; $top | getpath($p)));
      def paths: path(..) | select(length > 0);
      def paths(node_filter): path(.. | select(node_filter)) | select(length > 0);
      def leaf_paths: paths(scalars);
      def isvalid(f): try (f | true) catch false;
      def have_literal_numbers: true;
      def have_decnum: false;
      def splits($re): splits($re; null);
      def splits($re; flags): split($re; flags) | .[];
      def capture(re): capture(re; null);
      def capture(re; flags): match(re; flags) | _captures;
      def scan(re): scan(re; null);
      def scan(re; $flags):
        match(re; "g" + $flags)
        | if (.captures | length) > 0 then [.captures[].string] else .string end;
      def match(re): match(re; null);
      def test(re): test(re; null);
      def sub($re; str; $flags): _sub($re; str; $flags);
      def sub($re; str): _sub($re; str; null);
      def gsub($re; str; $flags): _sub($re; str; $flags + "g");
      def gsub($re; str): _sub($re; str; "g");
      """;

  private static final Map<String, Syntax.Function> BY_SIGNATURE = parse();

  private Prelude() {}

  private static Map<String, Syntax.Function> parse() {
    Map<String, Syntax.Function> functions = new HashMap<>();
    List<Syntax.Function> parsed = Parser.parseDefinitions(SOURCE);
    for (Syntax.Function function : parsed) {
      functions.put(function.name() + "/" + function.parameters().size(), function);
    }
    return Map.copyOf(functions);
  }

  public static Syntax.@Nullable Function find(String name, int arity) {
    return BY_SIGNATURE.get(name + "/" + arity);
  }

  /** All functions as {@code name/arity}. */
  public static Set<String> signatures() {
    return BY_SIGNATURE.keySet();
  }
}
