// Bullet, as a discrete dynamics world of rigid bodies.
#include <btBulletDynamicsCommon.h>

#include <memory>

#include "native.hpp"

using peers::Vec;

namespace {

btVector3 vector(const Vec& v) { return {static_cast<btScalar>(v[0]), static_cast<btScalar>(v[1]), static_cast<btScalar>(v[2])}; }
Vec numbers(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

class Bullet {
 public:
  explicit Bullet(const peers::Scene& scene) : h_(scene.h), dispatcher_(&configuration_) {
    world_ = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher_, &broadphase_, &solver_, &configuration_);
    world_->setGravity(vector(scene.gravity));
    if (scene.best) {
      world_->getSolverInfo().m_numIterations = 200;
      world_->getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
      world_->getSolverInfo().m_restitutionVelocityThreshold = btScalar(1e-3);
    }
    // Friction and restitution of a pair are products: those of the floor and of the pads are 1.
    if (scene.floor) {
      auto* floor = make(new btBoxShape(btVector3(20, 20, 1)), 0, btVector3(0, 0, -1));
      floor->setFriction(1);
      floor->setRestitution(1);
    }
    bool first = true;
    for (const auto& body : scene.bodies) {
      btCollisionShape* shape = body.sphere ? static_cast<btCollisionShape*>(new btSphereShape(btScalar(body.radius)))
                                            : new btBoxShape(vector(body.half));
      auto* made = make(shape, body.mass, vector(body.position));
      const bool partner = !scene.floor && !first;
      made->setFriction(partner ? 1 : btScalar(scene.mu));
      made->setRestitution(partner ? 1 : btScalar(scene.e));
      // A stack has one surface pair between the bodies, too: mu of both is then its root, and the floor's as well.
      if (scene.floor && scene.bodies.size() > 1) made->setFriction(btScalar(std::sqrt(scene.mu)));
      if (body.only_x) {
        made->setLinearFactor(btVector3(1, 0, 0));
        made->setAngularFactor(btVector3(0, 0, 0));
      }
      // An impact that is foreseen is braked before it bounces.
      if (scene.best && scene.e > 0) made->setContactProcessingThreshold(0);
      made->setActivationState(DISABLE_DEACTIVATION);
      bodies_.push_back(made);
      first = false;
    }
    for (const auto& joint : scene.joints) {
      btRigidBody& body = *bodies_[joint.body];
      auto* hinge = new btHingeConstraint(body, vector(joint.at) - vector(scene.bodies[joint.body].position), vector(joint.axis));
      // The motor takes an impulse for each step.
      hinge->enableAngularMotor(true, 0, btScalar(joint.torque * scene.h));
      world_->addConstraint(hinge);
    }
  }
  void set(int body, const Vec& velocity, const Vec& spin) {
    bodies_[body]->setLinearVelocity(vector(velocity));
    bodies_[body]->setAngularVelocity(vector(spin));
  }
  void push(int body, const Vec& force) { bodies_[body]->applyCentralForce(vector(force)); }
  void step() { world_->stepSimulation(btScalar(h_), 0); }
  peers::State read(int body) const {
    const btTransform at = bodies_[body]->getWorldTransform();
    const btQuaternion q = at.getRotation();
    return {numbers(at.getOrigin()),
            {q.w(), q.x(), q.y(), q.z()},
            numbers(bodies_[body]->getLinearVelocity()),
            numbers(bodies_[body]->getAngularVelocity())};
  }

 private:
  // Freed with the process, which runs one scene.
  btRigidBody* make(btCollisionShape* shape, double mass, const btVector3& position) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(btScalar(mass), inertia);
    btTransform at;
    at.setIdentity();
    at.setOrigin(position);
    auto* body =
        new btRigidBody(btRigidBody::btRigidBodyConstructionInfo(btScalar(mass), new btDefaultMotionState(at), shape, inertia));
    world_->addRigidBody(body);
    return body;
  }

  double h_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
  std::vector<btRigidBody*> bodies_;
};

}  // namespace

int main(int argc, char**) {
  if (argc > 1) return std::printf("%d.%02d\n", btGetVersion() / 100, btGetVersion() % 100), 0;
  const auto scene = peers::read_scene();
  static Bullet engine(scene);
  peers::play(scene, engine);
}
