// DART: boxed linear complementarity by Dantzig's method.
#include <dart/dart.hpp>

#include "native.hpp"

using peers::Vec;
using namespace dart::dynamics;

namespace {

Eigen::Vector3d vector(const Vec& v) { return {v[0], v[1], v[2]}; }
Vec numbers(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }

class Dart {
 public:
  explicit Dart(const peers::Scene& scene) : best_(scene.best), world_(dart::simulation::World::create()) {
    world_->setGravity(vector(scene.gravity));
    world_->setTimeStep(scene.h);
    if (scene.best) world_->getConstraintSolver()->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
    if (scene.floor) {
      auto floor = Skeleton::create("floor");
      BodyNode* node = floor->createJointAndBodyNodePair<WeldJoint>().second;
      Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
      at.translation() = Eigen::Vector3d(0, 0, -1);
      node->getParentJoint()->setTransformFromParentBodyNode(at);
      // The friction of a pair is the smaller one, its restitution the product.
      dress(node, std::make_shared<BoxShape>(Eigen::Vector3d(40, 40, 2)), scene.mu, 1);
      world_->addSkeleton(floor);
    }
    for (const auto& body : scene.bodies) {
      auto skeleton = Skeleton::create(body.name);
      const bool hinged = !scene.joints.empty();
      BodyNode* node = nullptr;
      FreeJoint* free = nullptr;
      Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
      at.translation() = vector(body.position);
      if (hinged) {
        RevoluteJoint::Properties joint;
        joint.mAxis = vector(scene.joints[0].axis);
        auto pair = skeleton->createJointAndBodyNodePair<RevoluteJoint>(nullptr, joint);
        Eigen::Isometry3d anchor = Eigen::Isometry3d::Identity();
        anchor.translation() = vector(scene.joints[0].at) - vector(body.position);
        pair.first->setTransformFromChildBodyNode(anchor);
        pair.first->setCoulombFriction(0, scene.joints[0].torque);
        node = pair.second;
      } else if (body.only_x) {
        auto pair = skeleton->createJointAndBodyNodePair<PrismaticJoint>();
        pair.first->setAxis(Eigen::Vector3d::UnitX());
        pair.first->setTransformFromParentBodyNode(at);
        node = pair.second;
      } else {
        auto pair = skeleton->createJointAndBodyNodePair<FreeJoint>();
        pair.first->setTransform(at);
        free = pair.first;
        node = pair.second;
      }
      ShapePtr shape;
      if (body.sphere) shape = std::make_shared<SphereShape>(body.radius);
      else shape = std::make_shared<BoxShape>(2 * vector(body.half));
      node->setInertia(Inertia(body.mass, Eigen::Vector3d::Zero(), shape->computeInertia(body.mass)));
      dress(node, shape, scene.mu, scene.e);
      nodes_.push_back(node);
      free_.push_back(free);
      world_->addSkeleton(skeleton);
    }
  }
  void set(int body, const Vec& v, const Vec& w) {
    free_[body]->setLinearVelocity(vector(v));
    free_[body]->setAngularVelocity(vector(w));
  }
  void push(int body, const Vec& force) { nodes_[body]->addExtForce(vector(force), Eigen::Vector3d::Zero(), false, true); }
  void step() {
    // The friction pyramid is exact along its first direction: it is turned to where the body moves.
    for (BodyNode* node : nodes_) {
      const Eigen::Vector3d v = node->getLinearVelocity();
      if (best_ && v.norm() > 1e-6) node->getShapeNode(0)->getDynamicsAspect()->setFirstFrictionDirection(v.normalized());
    }
    world_->step();
  }
  peers::State read(int body) const {
    const Eigen::Isometry3d at = nodes_[body]->getTransform();
    const Eigen::Quaterniond q(at.linear());
    return {numbers(at.translation()),
            {q.w(), q.x(), q.y(), q.z()},
            numbers(nodes_[body]->getLinearVelocity()),
            numbers(nodes_[body]->getAngularVelocity())};
  }

 private:
  static void dress(BodyNode* node, const ShapePtr& shape, double mu, double e) {
    auto* surface = node->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape)->getDynamicsAspect();
    surface->setFrictionCoeff(mu);
    surface->setRestitutionCoeff(e);
    surface->setFirstFrictionDirectionFrame(Frame::World());
  }

  bool best_;
  dart::simulation::WorldPtr world_;
  std::vector<BodyNode*> nodes_;
  std::vector<FreeJoint*> free_;
};

}  // namespace

int main() {
  const auto scene = peers::read_scene();
  Dart engine(scene);
  peers::play(scene, engine);
}
