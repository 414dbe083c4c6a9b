package dev.pinion.bootstrap.profile;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.process.ProfiledProcess;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Computed data of the page: the page draws and selects, it computes nothing. Every share is an
 * array with a number for each profile.
 */
final class PageData {
  /** Most lines in each table of the page. */
  static final int MAX_LINES = 40;

  /** Most groups of threads with separate charts. */
  static final int MAX_CHARTS = 8;

  /** Shares are rounded to one part of this. */
  private static final double ROUNDING = 1e5;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<Profile> profiles;
  private final int level;
  private final int depth;

  /**
   * Data of a page.
   *
   * @param profiles one, or the earlier and the later one
   * @param level initial number of parts of package names that are kept
   * @param depth positions of charts
   */
  PageData(List<Profile> profiles, int level, int depth) {
    this.profiles = List.copyOf(profiles);
    this.level = level;
    this.depth = depth;
  }

  ObjectNode json() {
    ObjectNode page = JSON.createObjectNode();
    page.put("level", level).put("depth", depth);
    ArrayNode headers = page.putArray("profiles");
    profiles.forEach(each -> header(headers.addObject(), each));
    ArrayNode kinds = page.putArray("kinds");
    for (Kind kind : Kind.values()) {
      kind(kinds.addObject(), kind);
    }
    return page;
  }

  private static void header(ObjectNode json, Profile profile) {
    Profile.Header header = profile.header();
    json.put("label", header.label())
        .put("began", header.began())
        .put("seconds", header.seconds())
        .put("sampler", header.sampler());
    ArrayNode notes = json.putArray("notes");
    header.notes().forEach(notes::add);
    for (Kind kind : Kind.values()) {
      json.put(kind.id(), Math.round(profile.total(kind)));
    }
  }

  private void kind(ObjectNode json, Kind kind) {
    json.put("id", kind.id()).put("label", kind.label()).put("unit", kind.unit());
    ArrayNode scopes = json.putArray("scopes");
    Predicate<Row> ofKind = row -> row.place().kind() == kind;
    View all = View.of(profiles, ofKind);
    TreeSet<ProfiledProcess> processes = new TreeSet<>();
    all.rows().forEach(rows -> rows.forEach(row -> processes.add(row.place().process())));
    scope(scopes.addObject().put("label", "all processes"), all);
    if (processes.size() > 1) {
      for (ProfiledProcess process : processes) {
        scope(
            scopes.addObject().put("label", process.name()),
            all.where(row -> row.place().process().equals(process)));
      }
    }
  }

  private void scope(ObjectNode json, View view) {
    ArrayNode totals = json.putArray("totals");
    for (int i = 0; i < profiles.size(); i++) {
      totals.add(Math.round(view.total(i)));
    }
    table(json.putArray("stages"), Tables.stages(view));
    table(json.putArray("groups"), Tables.groups(view));
    table(json.putArray("definitions"), Tables.definitions(view));
    table(json.putArray("tasks"), Tables.tasks(view));
    table(json.putArray("classes"), Tables.classes(view));
    table(json.putArray("subjects"), Tables.subjects(view));
    table(json.putArray("methods"), Tables.methods(view, false));
    table(json.putArray("foldedMethods"), Tables.methods(view, true));
    ObjectNode levels = json.putObject("levels");
    for (int each = Packages.MIN_LEVEL; each <= Packages.MAX_LEVEL; each++) {
      ObjectNode ofLevel = levels.putObject(Integer.toString(each));
      level(ofLevel.putObject("folded"), view, new Packages(each, true));
      level(ofLevel.putObject("plain"), view, new Packages(each, false));
    }
    json.set("tree", new Icicle(view).json(JSON));
  }

  private void level(ObjectNode json, View view, Packages packages) {
    table(json.putArray("packages"), Tables.packages(view, packages));
    ArrayNode charts = json.putArray("charts");
    Tables.groups(view).stream()
        .limit(MAX_CHARTS)
        .forEach(group -> chart(charts.addObject(), view, group.name(), packages));
  }

  /** The projection of one group of threads in the latest profile. */
  private void chart(ObjectNode json, View view, String group, Packages packages) {
    View own = view.where(row -> row.place().group().equals(group));
    int latest = profiles.size() - 1;
    double total = view.total(latest) == 0 ? 1 : view.total(latest);
    json.put("group", group);
    ObjectNode weights = json.putObject("weights");
    Projection.of(profiles.get(latest), own.rows().get(latest), packages, depth)
        .packages()
        .forEach(
            (name, byDepth) -> {
              ArrayNode cells = weights.putArray(name);
              byDepth.forEach(each -> cells.add(rounded(each / total)));
            });
  }

  private static void table(ArrayNode json, List<Compared> shares) {
    List<Compared> first = Compared.mostChangedFirst(shares);
    for (Compared each : first.subList(0, Math.min(MAX_LINES, first.size()))) {
      ArrayNode line = json.addArray().add(each.name());
      shares(line.addArray(), each.exclusive());
      shares(line.addArray(), each.inclusive());
    }
  }

  private static void shares(ArrayNode json, List<Double> shares) {
    shares.forEach(each -> json.add(rounded(each)));
  }

  static double rounded(double share) {
    return Math.round(share * ROUNDING) / ROUNDING;
  }
}
