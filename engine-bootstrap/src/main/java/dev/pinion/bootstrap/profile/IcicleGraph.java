package dev.pinion.bootstrap.profile;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The call tree of a view: groups of threads, and below them methods, the outermost first, with
 * their shares of the whole. Nodes that are too small are left out; the caller keeps their share.
 */
final class IcicleGraph {
  /** Most nodes of a tree: the largest ones. */
  static final int MAX_NODES = 3_000;

  /** Smaller shares are left out. */
  static final double MIN_SHARE = 0.0005;

  private final ProfileSelection profileSelection;
  private final Node root;

  private static final class Node {
    final String name;
    final double[] amounts;
    final Map<String, Node> children = new HashMap<>();
    boolean shown;

    Node(String name, int profiles) {
      this.name = name;
      this.amounts = new double[profiles];
    }

    Node child(String frame) {
      return children.computeIfAbsent(frame, each -> new Node(each, amounts.length));
    }
  }

  IcicleGraph(ProfileSelection profileSelection) {
    this.profileSelection = profileSelection;
    this.root = new Node("all", profileSelection.profiles().size());
    for (int i = 0; i < profileSelection.profiles().size(); i++) {
      for (ProfileRow profileRow : profileSelection.rows().get(i)) {
        add(i, profileRow);
      }
    }
    choose();
  }

  private void add(int profile, ProfileRow profileRow) {
    List<String> path = new ArrayList<>(List.of(profileRow.place().group()));
    path.addAll(profileSelection.profiles().get(profile).stack(profileRow));
    Node node = root;
    node.amounts[profile] += profileRow.amount();
    for (String frame : path) {
      node = node.child(frame);
      node.amounts[profile] += profileRow.amount();
    }
  }

  /** Chooses the largest nodes; a child is never larger than its parent. */
  private void choose() {
    PriorityQueue<Node> largest = new PriorityQueue<>((a, b) -> Double.compare(size(b), size(a)));
    largest.add(root);
    for (int left = MAX_NODES; left > 0 && !largest.isEmpty(); left--) {
      Node node = largest.remove();
      if (size(node) < MIN_SHARE) {
        return;
      }
      node.shown = true;
      largest.addAll(node.children.values());
    }
  }

  /** The largest of its shares. */
  private double size(Node node) {
    double share = 0;
    for (int i = 0; i < node.amounts.length; i++) {
      share = Math.max(share, share(node, i));
    }
    return share;
  }

  private double share(Node node, int profile) {
    double total = root.amounts[profile];
    return total == 0 ? 0 : node.amounts[profile] / total;
  }

  /** {@code [name, [shares], [children]]}. */
  ArrayNode json(ObjectMapper mapper) {
    return json(root, mapper);
  }

  private ArrayNode json(Node node, ObjectMapper mapper) {
    ArrayNode json = mapper.createArrayNode().add(node.name);
    ArrayNode shares = json.addArray();
    for (int i = 0; i < node.amounts.length; i++) {
      shares.add(ProfilePageContent.rounded(share(node, i)));
    }
    ArrayNode children = json.addArray();
    shown(node.children.values()).forEach(each -> children.add(json(each, mapper)));
    return json;
  }

  private List<Node> shown(Collection<Node> nodes) {
    return nodes.stream()
        .filter(each -> each.shown)
        .sorted(
            Comparator.comparingDouble((Node each) -> -size(each)).thenComparing(each -> each.name))
        .toList();
  }
}
