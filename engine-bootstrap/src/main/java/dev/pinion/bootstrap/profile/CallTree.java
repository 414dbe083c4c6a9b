package dev.pinion.bootstrap.profile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All recorded stacks: a tree of methods from the outermost on. A stack is represented by the
 * number of its innermost node. Used by one thread.
 */
public final class CallTree {
  /** Most nodes; a stack that would need more is truncated. */
  static final int MAX_NODES = 400_000;

  /** The empty stack. */
  static final int ROOT = 0;

  private final int maxNodes;
  private final List<Integer> parents = new ArrayList<>();
  private final List<Integer> frameOf = new ArrayList<>();
  private final List<String> frames = new ArrayList<>();
  private final Map<String, Integer> frameNumbers = new HashMap<>();
  private final Map<Long, Integer> children = new HashMap<>();
  private long cut;

  /** An empty tree. */
  CallTree() {
    this(MAX_NODES);
  }

  /** An empty tree with a maximum number of nodes. */
  CallTree(int maxNodes) {
    this.maxNodes = maxNodes;
    parents.add(ROOT);
    frameOf.add(number(""));
  }

  /**
   * The node of a stack.
   *
   * @param outermostFirst its methods, the outermost first
   */
  int node(List<String> outermostFirst) {
    int node = ROOT;
    for (String frame : outermostFirst) {
      int child = child(node, frame);
      if (child == ROOT) {
        cut++;
        return node;
      }
      node = child;
    }
    return node;
  }

  /** The node of a method called by another one; the root when there are too many nodes. */
  int child(int parent, String name) {
    int frame = number(name);
    long key = ((long) parent << 32) | frame;
    Integer known = children.get(key);
    if (known != null) {
      return known;
    }
    if (parents.size() >= maxNodes) {
      return ROOT;
    }
    int node = parents.size();
    parents.add(parent);
    frameOf.add(frame);
    children.put(key, node);
    return node;
  }

  private int number(String name) {
    Integer known = frameNumbers.get(name);
    if (known != null) {
      return known;
    }
    frames.add(name);
    frameNumbers.put(name, frames.size() - 1);
    return frames.size() - 1;
  }

  /** The methods of a stack, the outermost first. */
  List<String> stack(int node) {
    List<String> stack = new ArrayList<>();
    for (int each = node; each != ROOT; each = parents.get(each)) {
      stack.add(frames.get(frameOf.get(each)));
    }
    Collections.reverse(stack);
    return stack;
  }

  /** Number of nodes, the root included. */
  int size() {
    return parents.size();
  }

  int parent(int node) {
    return parents.get(node);
  }

  /** The number of the method of a node, among {@link #frames}. */
  int frame(int node) {
    return frameOf.get(node);
  }

  List<String> frames() {
    return Collections.unmodifiableList(frames);
  }

  /** Number of stacks truncated for want of nodes. */
  long cut() {
    return cut;
  }
}
